import { Injectable } from '@nestjs/common';
import type { ConversationId } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { MessagesRepository } from '../../conversations/index.ts';
import { formerIdsOf, type IdsIn } from './chat-plan.ts';

/** Knows which ids imported messages have. */
@Injectable()
export class MessageIds {
  constructor(private readonly messages: MessagesRepository) {}

  /** Finds the ids of these messages of a source, as far as they are in the conversation. */
  async in(scope: OrganisationScope, conversation: ConversationId, sourceIds: readonly string[]): Promise<IdsIn> {
    const ids = formerIdsOf(conversation, sourceIds);
    const found = ids.length > 0 ? await this.messages.findMany(scope, conversation, ids) : [];
    return { conversation, former: new Set(found.map(({ _id }) => _id)) };
  }
}
