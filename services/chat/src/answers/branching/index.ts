import { branchConversation } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { conversationsFeature } from '../../conversations/index.ts';
import { filesFeature } from '../../knowledge/files/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { BranchingService } from './branching.service.ts';
import { MessageCopies } from './message-copies.ts';

/** Branches a chat into a new one. */
export const branchingFeature = feature({
  routes: { branch: branchConversation },
  handlers: BranchingService,
  imports: [conversationsFeature, generationsFeature, filesFeature],
  providers: [MessageCopies],
});
