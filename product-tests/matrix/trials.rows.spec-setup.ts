import { trialRoutes, type ChatbotId, type TrialId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { rowsFor } from './rows.spec-setup.ts';

const defaultOf = async (owner: ParleyClient): Promise<ChatbotId> =>
  (await owner.call('GET /api/chat/chatbots', {})).items.find(({ isDefault }) => isDefault)!.id;
let made: TrialId | null = null;
async function aTrial(owner: ParleyClient): Promise<TrialId> {
  if (made !== null) return made;
  const body = { id: newId('trial'), question: 'How many herons?', version: null };
  const params = { chatbotId: await defaultOf(owner) };
  return (made = (await owner.call('POST /api/chat/chatbot-drafts/:chatbotId/trials', { params, body })).id);
}

export const trialRows = rowsFor(trialRoutes, {
  askTrial: {
    things: 'organisation',
    request: async ({ owner }) => ({
      params: { chatbotId: await defaultOf(owner) },
      body: { id: newId('trial'), question: 'How many herons?', version: null },
    }),
  },
  listTrials: {
    things: 'organisation',
    request: async ({ owner }) => {
      await aTrial(owner);
      return { params: { chatbotId: await defaultOf(owner) } };
    },
    lists: { ids: () => [made!], whose: 'owner' },
  },
  getTrial: { things: 'owner', request: async ({ owner }) => ({ params: { trialId: await aTrial(owner) } }) },
  stopTrial: { things: 'owner', request: async ({ owner }) => ({ params: { trialId: await aTrial(owner) } }) },
});
