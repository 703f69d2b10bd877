import { curatedAnswerRoutes, feedbackRoutes, type CuratedAnswer, type FeedbackCase } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { plain, rowsFor, type World } from './rows.spec-setup.ts';

const answer = ({ conversationId, messages }: World) => ({ conversationId, messageId: messages[1]?.id ?? '' });
const said = { rating: 'down', reasons: ['out-of-date'], comment: 'It is April now.', messages: 2 } as const;

/** The one case there is: the answer of the scene, rated down by its owner. */
async function theCase(world: World): Promise<FeedbackCase> {
  const { owner } = world;
  const route = 'PUT /api/chat/conversations/:conversationId/messages/:messageId/feedback';
  const params = { conversationId: world.conversationId, messageId: world.messages[1]!.id };
  const { id: feedbackId } = await owner.call(route, { params, body: { ...said, reasons: [...said.reasons] } });
  return owner.call('GET /api/chat/feedback/:feedbackId', { params: { feedbackId } });
}
const caseParams = async (world: World) => ({ params: { feedbackId: (await theCase(world)).id } });
let listed = '';
/** Another owner: the one of the scene is in a second organisation, too. */
let colleague = '';
const withCase = async (world: World) => {
  listed = (await theCase(world)).id;
  return {};
};

const words = { questions: ['When does carry over end?'], text: 'In March.', chatbotId: null };
const aCurated = (owner: ParleyClient): Promise<CuratedAnswer> =>
  owner.call('POST /api/chat/curated-answers', { body: { id: newId('curatedAnswer'), ...words } });
let kept: CuratedAnswer | null = null;
const theCurated = async ({ owner }: World): Promise<CuratedAnswer> => (kept ??= await aCurated(owner));
const curatedParams = async (world: World) => ({ params: { curatedAnswerId: (await theCurated(world)).id } });

export const feedbackRows = rowsFor(feedbackRoutes, {
  rateAnswer: { things: 'owner', request: (world) => ({ params: answer(world), body: said }) },
  withdrawFeedback: { things: 'owner', request: (world) => ({ params: answer(world) }) },
  listMyFeedback: {
    things: 'owner',
    request: async (world) => {
      await withCase(world);
      return { params: { conversationId: world.conversationId } };
    },
    lists: { ids: () => [listed], whose: 'owner' },
  },
  listFeedbackReaders: plain,
  listFeedback: {
    request: async (world) => {
      await withCase(world);
      return { query: { state: 'all' } };
    },
    lists: { ids: () => [listed], whose: 'organisation' },
  },
  countFeedback: { request: () => ({ query: { days: '7' } }) },
  getFeedback: { things: 'organisation', request: caseParams },
  readSharedMessages: {
    things: 'organisation',
    request: caseParams,
    lists: { ids: ({ messages }) => messages.slice(0, 2).map(({ id }) => id), whose: 'organisation' },
  },
  changeFeedback: {
    things: 'organisation',
    repeated: 409,
    request: async (world) => {
      const { id: feedbackId, revision, state } = await theCase(world);
      const body = { revision, state: state === 'fixed' ? 'in-work' : 'fixed', assigneeId: world.owner.me!.id };
      return { params: { feedbackId }, body };
    },
  },
  listAssignees: {
    request: async ({ owner }) => {
      const { items } = await owner.call('GET /api/chat/feedback-assignees');
      colleague = items.find(({ userId }) => userId !== owner.me!.id)!.userId;
      return {};
    },
    lists: { ids: () => [colleague], whose: 'organisation' },
  },
  answerFeedback: {
    things: 'organisation',
    repeated: 409,
    request: async (world) => {
      const { id: feedbackId, revision } = await theCase(world);
      return { params: { feedbackId }, body: { revision, text: 'It is April now.' } };
    },
  },
});

export const curatedAnswerRows = rowsFor(curatedAnswerRoutes, {
  listCuratedAnswers: {
    request: async (world) => {
      await theCurated(world);
      return { query: { limit: '100' } };
    },
    lists: { ids: () => [kept!.id], whose: 'organisation' },
  },
  createCuratedAnswer: {
    request: async (world) => ({
      body: { id: newId('curatedAnswer'), ...words, feedbackId: (await theCase(world)).id },
    }),
  },
  changeCuratedAnswer: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { id: curatedAnswerId, revision } = await aCurated(owner);
      return { params: { curatedAnswerId }, body: { revision, ...words, isActive: false } };
    },
  },
  deleteCuratedAnswer: {
    things: 'organisation',
    repeated: 404,
    request: async ({ owner }) => ({ params: { curatedAnswerId: (await aCurated(owner)).id } }),
  },
  getQuotedAnswer: { things: 'organisation', request: curatedParams },
});
