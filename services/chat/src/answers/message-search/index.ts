import { countBranch, listMessages, listPath, moveInConversation, searchMessages } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { conversationsFeature } from '../../conversations/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { MessagesService } from './messages.service.ts';
import { PathsService } from './paths.service.ts';
import { ShownMessages } from './shown-messages.ts';

export { ShownMessages };

/** What people read of conversations. */
export const messagesFeature = feature({
  routes: { list: listMessages, search: searchMessages },
  handlers: MessagesService,
  providers: [ShownMessages],
  exports: [ShownMessages],
  imports: [conversationsFeature, generationsFeature],
});

/** Conversations along one path. */
export const pathsFeature = feature({
  routes: { list: listPath, move: moveInConversation, count: countBranch },
  handlers: PathsService,
  imports: [conversationsFeature, messagesFeature],
});
