import {
  answerFeedback,
  changeFeedback,
  countFeedback,
  getFeedback,
  listAssignees,
  listFeedback,
  listFeedbackReaders,
  listMyFeedback,
  rateAnswer,
  readSharedMessages,
  withdrawFeedback,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { conversationsFeature } from '../conversations/index.ts';
import { curatedAnswersFeature } from '../knowledge/curated-answers/index.ts';
import { generationsFeature } from '../answers/generations/index.ts';
import { FeedbackCounts } from './feedback-counts.ts';
import { FeedbackRepository } from './feedback.repository.ts';
import { FeedbackService } from './feedback.service.ts';
import { OwnFeedbackService } from './own-feedback.service.ts';
import { MessagesToShare } from './shared-messages.ts';

/** What people say of the answers that they got: theirs alone to change and to take back. */
export const ownFeedbackFeature = feature({
  routes: { rate: rateAnswer, withdraw: withdrawFeedback, listMine: listMyFeedback, readers: listFeedbackReaders },
  handlers: OwnFeedbackService,
  imports: [conversationsFeature, generationsFeature],
  providers: [FeedbackRepository, FeedbackCounts, MessagesToShare],
  exports: [FeedbackRepository, FeedbackCounts],
});

/** Ratings as cases: listed, counted, worked on and answered. */
export const feedbackFeature = feature({
  routes: {
    list: listFeedback,
    count: countFeedback,
    get: getFeedback,
    readShared: readSharedMessages,
    change: changeFeedback,
    assignees: listAssignees,
    answer: answerFeedback,
  },
  handlers: FeedbackService,
  imports: [ownFeedbackFeature, conversationsFeature, curatedAnswersFeature],
});
