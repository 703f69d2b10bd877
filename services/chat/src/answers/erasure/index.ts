import { eraseConversation, listDeletedConversations } from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { conversationsFeature, eraseChat, eraseMessage } from '../../conversations/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { ConversationEraser } from './conversation-eraser.ts';
import { MessageEraser } from './message-eraser.ts';
import { DeletedConversationsService } from './deleted-conversations.service.ts';

/** Lists deleted chats and erases them after 7 days or immediately, and deleted messages after 7 days. */
export const erasureFeature = feature({
  routes: { list: listDeletedConversations, erase: eraseConversation },
  handlers: DeletedConversationsService,
  jobs: [runBy(eraseChat, ConversationEraser), runBy(eraseMessage, MessageEraser)],
  imports: [conversationsFeature, generationsFeature],
});
