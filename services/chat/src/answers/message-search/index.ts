import { countBranch, listMessages, listPath, moveInConversation, searchMessages } from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { conversationsFeature } from '../../conversations/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { fillSearchKeys, FillSearchKeys, messagesToFill } from './fill-search-keys.ts';
import { MessagesService } from './messages.service.ts';
import { PathsService } from './paths.service.ts';
import { SearchInProjects } from './search-in-projects.ts';
import { SearchService } from './search.service.ts';
import { ShownMessages } from './shown-messages.ts';

export { messagesToFill, ShownMessages };

/** Lists the messages of conversations. */
export const messagesFeature = feature({
  routes: { list: listMessages },
  handlers: MessagesService,
  providers: [ShownMessages],
  exports: [ShownMessages],
  imports: [conversationsFeature, generationsFeature],
});

/** Finds messages by their words and by operators. */
export const messageSearchFeature = feature({
  routes: { search: searchMessages },
  handlers: SearchService,
  jobs: [runBy(fillSearchKeys, FillSearchKeys)],
  providers: [SearchInProjects],
  imports: [conversationsFeature],
});

/** Reads conversations along one path. */
export const pathsFeature = feature({
  routes: { list: listPath, move: moveInConversation, count: countBranch },
  handlers: PathsService,
  imports: [conversationsFeature, messagesFeature],
});
