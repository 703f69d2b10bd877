import { errorRoutes, errorTestRoutes, type ErrorTestId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { randomBytes } from 'node:crypto';
import { rowsFor, type World } from './rows.spec-setup.ts';

/** The class of the error that a page has, which names its group. */
const failed = 'MatrixProbe';

const anEnvelope = (): string => {
  const event = { event_id: randomBytes(16).toString('hex'), exception: { values: [{ type: failed }] } };
  return [{}, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n');
};

async function groupOf({ owner }: World): Promise<Record<string, string>> {
  await owner.request('POST', '/api/monitoring/error-envelopes', { body: anEnvelope(), contentType: 'text/plain' });
  const query = { text: failed, resolved: 'shown' } as const;
  const { items } = await owner.call('GET /api/monitoring/collected-errors', { query });
  return { errorGroupId: items[0]?.id ?? '' };
}

export const errorRows = rowsFor(errorRoutes, {
  sendErrorEnvelope: { request: () => ({ body: anEnvelope() }) },
  listCollectedErrors: {
    request: async (world) => {
      await groupOf(world);
      return { query: { resolved: 'shown' } };
    },
    lists: { ids: () => [failed], whose: 'owner' },
  },
  getCollectedError: { things: 'owner', request: async (world) => ({ params: await groupOf(world) }) },
  changeErrorState: {
    things: 'owner',
    request: async (world) => ({ params: await groupOf(world), body: { state: 'resolved' } }),
  },
});

let kept: ErrorTestId | undefined;
async function testOf({ owner }: World): Promise<ErrorTestId> {
  if (kept) return kept;
  const body = { id: newId('errorTest'), kind: 'bff' } as const;
  kept = (await owner.call('POST /api/monitoring/error-tests', { body })).id;
  return kept;
}

export const errorTestRows = rowsFor(errorTestRoutes, {
  listErrorTests: {
    request: async (world) => {
      await testOf(world);
      return {};
    },
    lists: { ids: () => [kept ?? ''], whose: 'owner' },
  },
  createErrorTest: { request: () => ({ body: { id: newId('errorTest'), kind: 'script' } }) },
  getErrorTest: { things: 'owner', request: async (world) => ({ params: { errorTestId: await testOf(world) } }) },
  // It does nothing but fail.
  failInBff: {
    things: 'owner',
    refused: 500,
    request: async (world) => ({ params: { errorTestId: await testOf(world) } }),
  },
});
