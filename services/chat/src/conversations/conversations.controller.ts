import { Controller } from '@nestjs/common';
import {
  deleteConversation,
  getConversation,
  listConversations,
  renameConversation,
  restoreConversation,
  type Conversation,
  type ResponseOf,
} from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { toConversation } from './conversation.ts';
import { ConversationsService } from './conversations.service.ts';

@Controller()
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Route(listConversations)
  list(
    @Input() { scope, principal, query }: InputOf<typeof listConversations>,
  ): Promise<ResponseOf<typeof listConversations>> {
    return this.conversations.list(scope, principal.userId, query);
  }

  @Route(getConversation)
  async read(@Input() { scope, principal, params }: InputOf<typeof getConversation>): Promise<Conversation> {
    return toConversation(await this.conversations.find(scope, principal.userId, params.conversationId));
  }

  @Route(renameConversation)
  rename(@Input() { scope, principal, params, body }: InputOf<typeof renameConversation>): Promise<Conversation> {
    return this.conversations.rename(scope, principal, { id: params.conversationId, ...body });
  }

  @Route(deleteConversation)
  delete(@Input() { scope, principal, params }: InputOf<typeof deleteConversation>): Promise<void> {
    return this.conversations.delete(scope, principal, params.conversationId);
  }

  @Route(restoreConversation)
  restore(@Input() { scope, principal, params }: InputOf<typeof restoreConversation>): Promise<Conversation> {
    return this.conversations.restore(scope, principal, params.conversationId);
  }
}
