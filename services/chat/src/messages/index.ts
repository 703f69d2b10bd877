import { listMessages, searchMessages } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { conversationsFeature } from '../conversations/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { MessagesService } from './messages.service.ts';

/** What people read of conversations. */
export const messagesFeature = feature({
  routes: { list: listMessages, search: searchMessages },
  handlers: MessagesService,
  imports: [conversationsFeature, generationsFeature],
});
