import { messageRoutes } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { conversationsFeature } from '../conversations/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { MessagesService } from './messages.service.ts';

/** What people read of conversations. */
export const messagesFeature = feature({
  routes: messageRoutes,
  handlers: MessagesService,
  imports: [conversationsFeature, generationsFeature],
});
