import type {
  Accepted,
  changeFeedback,
  FeedbackCase,
  FeedbackId,
  feedbackChanged,
  listFeedback,
  OwnFeedback,
  rateAnswer,
} from '@parley/contracts';
import type { BodyOf, DataOf, EventEnvelope, QueryOf } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import { chatBench } from '../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../conversations/index.ts';
import { FeedbackCounts } from './feedback-counts.ts';
import { FeedbackRepository } from './feedback.repository.ts';
import { FeedbackService } from './feedback.service.ts';
import { OwnFeedbackService } from './own-feedback.service.ts';
import { MessagesToShare } from './shared-messages.ts';

/** Answers that are rated, by whoever got them, and cases of that; org names whoever is in `holders`. */
export async function feedbackBench() {
  const bench = await chatBench();
  const { mongo, work, clock } = bench;
  const holders: { userId: string; name: string }[] = [];
  const platform = { peers: { call: () => Promise.resolve({ items: holders }) } } as unknown as Platform;
  const rows = new FeedbackRepository(mongo);
  const counts = new FeedbackCounts(mongo);
  const sharing = new MessagesToShare(bench.paths, bench.generations);
  const asked = [bench.access, bench.messages, bench.generations, platform, work, clock] as const;
  const own = new OwnFeedbackService(rows, counts, sharing, ...asked);
  const cases = new FeedbackService(rows, counts, bench.keeping, bench.curated, platform, work, clock, bench.paths);
  cases.onModuleInit();
  return {
    ...bench,
    holders,
    own,
    cases,
    /** Asks, and waits for the answer. */
    async answered(
      viewer: Viewer,
      more: Parameters<typeof bench.ask>[1] & { answer?: string } = {},
    ): Promise<Accepted> {
      const { answer, ...question } = more;
      const accepted = await bench.ask(viewer, question);
      await bench.end(viewer, accepted, answer);
      return accepted;
    },
    rate: (viewer: Viewer, accepted: Accepted, body: Partial<BodyOf<typeof rateAnswer>> = {}): Promise<OwnFeedback> =>
      own.rate({
        ...viewer,
        params: paramsOf(accepted),
        body: { rating: 'down', reasons: [], comment: '', messages: 0, ...body },
      } as never),
    withdraw: (viewer: Viewer, accepted: Accepted): Promise<void> =>
      own.withdraw({ ...viewer, params: paramsOf(accepted) } as never),
    mine: async (viewer: Viewer, { conversation }: Accepted): Promise<OwnFeedback[]> =>
      (await own.listMine({ ...viewer, params: { conversationId: conversation.id } } as never)).items,
    list: (viewer: Viewer, query: Partial<QueryOf<typeof listFeedback>> = {}) =>
      cases.list({ ...viewer, query: { limit: 50, state: 'all', ...query } } as never),
    get: (viewer: Viewer, feedbackId: FeedbackId): Promise<FeedbackCase> =>
      cases.get({ ...viewer, params: { feedbackId } } as never),
    shared: async (viewer: Viewer, feedbackId: FeedbackId) =>
      (await cases.readShared({ ...viewer, params: { feedbackId } } as never)).items,
    change: (viewer: Viewer, feedbackId: FeedbackId, body: BodyOf<typeof changeFeedback>): Promise<FeedbackCase> =>
      cases.change({ ...viewer, params: { feedbackId }, body } as never),
    reply: (viewer: Viewer, feedbackId: FeedbackId, body: { revision: number; text: string }): Promise<FeedbackCase> =>
      cases.answer({ ...viewer, params: { feedbackId }, body } as never),
    counted: (viewer: Viewer, days = 30) => cases.count({ ...viewer, query: { days } } as never),
    /** What was told of a case, in order. */
    toldOf: async (id: FeedbackId): Promise<EventEnvelope<DataOf<typeof feedbackChanged>>[]> =>
      (await bench.recorded()).filter(
        ({ type, subject }) => type === 'feedback.changed.v1' && subject === id,
      ) as EventEnvelope<DataOf<typeof feedbackChanged>>[],
  };
}

const paramsOf = ({ conversation, answer }: Accepted) => ({ conversationId: conversation.id, messageId: answer.id });
