import { eraseConversation, listDeletedConversations } from '@parley/contracts';
import { FlowsModule } from '@parley/platform/fair-turns';
import { feature } from '@parley/platform/service';
import { conversationsFeature } from '../../conversations/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { ConversationEraser } from './conversation-eraser.ts';
import { MessageEraser } from './message-eraser.ts';
import { DeletedConversationsService } from './deleted-conversations.service.ts';

/** Deleted chats: listed, and erased for good after 7 days or at once, as are deleted messages after 7 days. */
export const erasureFeature = feature({
  routes: { list: listDeletedConversations, erase: eraseConversation },
  handlers: DeletedConversationsService,
  imports: [FlowsModule, conversationsFeature, generationsFeature],
  providers: [ConversationEraser, MessageEraser],
});
