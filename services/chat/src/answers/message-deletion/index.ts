import { deleteMessage, listDeletedMessages, restoreMessage } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { conversationsFeature } from '../../conversations/index.ts';
import { MessageDeletionService } from './message-deletion.service.ts';

/** Deletes messages with everything below them, and restores them. */
export const messageDeletionFeature = feature({
  routes: { list: listDeletedMessages, delete: deleteMessage, restore: restoreMessage },
  handlers: MessageDeletionService,
  imports: [conversationsFeature],
});
