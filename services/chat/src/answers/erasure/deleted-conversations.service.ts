import { Injectable } from '@nestjs/common';
import type { DeletedConversation, eraseConversation, listDeletedConversations } from '@parley/contracts';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import {
  ConversationAccess,
  ConversationLists,
  ConversationsRepository,
  toConversation,
  visibleTo,
  type StoredConversation,
} from '../../conversations/index.ts';
import { recordErased } from './record-erased.ts';

/** Lists a person's deleted chats. The person can restore them, or erase them immediately. */
@Injectable()
export class DeletedConversationsService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly lists: ConversationLists,
    private readonly access: ConversationAccess,
    private readonly work: Work,
  ) {}

  list(input: InputOf<typeof listDeletedConversations>): Promise<ResponseOf<typeof listDeletedConversations>> {
    const { scope, query } = input;
    return this.lists.listDeleted(scope, { query, visible: visibleTo(input), to: toDeleted });
  }

  async erase(input: InputOf<typeof eraseConversation>): Promise<void> {
    const { scope, principal, params } = input;
    const id = params.conversationId;
    const begun = await this.work.run(principal, async (tx) => {
      const conversation = await this.conversations.beginErasing(scope, { visible: visibleTo(input), id }, tx);
      if (conversation) recordErased(tx, conversation);
      return conversation;
    });
    if (begun) return;
    const found = await this.access.find(input, id);
    if (!found) throw new Problem('chat.conversation-not-found');
    if (!found.isDeleted)
      throw new Problem('platform.conflict', { detail: 'Delete the chat first.', current: toConversation(found) });
  }
}

/** Deleting sets both times. A chat that an earlier version deleted has them once the eraser has seen it. */
function toDeleted({ _id: id, title, deletedAt, eraseAt, lastActivityAt }: StoredConversation): DeletedConversation {
  const at = (deletedAt ?? lastActivityAt).toISOString();
  return { id, title, deletedAt: at, eraseAt: eraseAt?.toISOString() ?? at };
}
