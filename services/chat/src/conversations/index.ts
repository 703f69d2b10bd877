import {
  deleteConversation,
  getConversation,
  listConversations,
  renameConversation,
  restoreConversation,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { ConversationAccess } from './access.ts';
import { ConversationsRepository } from './conversations.repository.ts';
import { ConversationsService } from './conversations.service.ts';
import { MessagesRepository, type TurnRow } from './messages.repository.ts';

export { addressOf, ownedBy, ownSearchScope, searchScopeOf, visibleTo, type Viewer } from './access.ts';
export type { StoredConversation } from './conversation.collection.ts';
export { titleFrom, toConversation } from './conversation.ts';
export { ConversationsService, record } from './conversations.service.ts';
export { messageKeys } from './message-keys.ts';
export { messageParents } from './message-parents.ts';
export type { MessageRow, NewMessage } from './message.collection.ts';
export { ConversationAccess, ConversationsRepository, MessagesRepository, type TurnRow };

/** Conversations, who may see them (`access.ts` alone knows), and the rows of their messages. */
export const conversationsFeature = feature({
  routes: {
    list: listConversations,
    read: getConversation,
    rename: renameConversation,
    delete: deleteConversation,
    restore: restoreConversation,
  },
  handlers: ConversationsService,
  providers: [ConversationAccess, ConversationsRepository, MessagesRepository],
  exports: [ConversationAccess, ConversationsRepository, ConversationsService, MessagesRepository],
});
