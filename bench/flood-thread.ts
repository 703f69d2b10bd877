// One organisation that does everything as fast as its limits allow, in a thread of its own until it is ended.
import { newId } from '@parley/platform/ids';
import { ParleyClient, RefusedCall } from '@parley/testing/client';
import { parentPort, workerData } from 'node:worker_threads';
import { wait } from './product.ts';

export type FloodOrder = { readonly url: string; readonly modelUrl: string };
/** How often each act was accepted and refused so far. */
export type FloodCounts = Readonly<Record<string, { readonly accepted: number; readonly refused: number }>>;

/** Loops of each act at the same time. */
const loops = { questions: 8, lists: 8, searches: 4, uploads: 2, invitations: 1 } as const;
const refusedMs = 200;
const invitedAtOnce = 100;
const reportEveryMs = 1_000;
const text = 'The heron waits for the tide. '.repeat(1_500);

const { url, modelUrl } = workerData as FloodOrder;
const counts: Record<string, { accepted: number; refused: number }> = {};
const client = new ParleyClient(url);
client.address = '198.51.100.7';
await client.register({
  name: 'Flood',
  email: `${newId('user').toLowerCase()}@example.com`,
  password: 'three quiet herons',
});
await client.createOrganisation('Flood');
const models = { models: ['m'], defaultModel: 'm', isDefault: true };
await client.call('POST /api/chat/providers', {
  body: { id: newId('provider'), name: 'Mock', baseUrl: modelUrl, ...models },
});

const acts: Readonly<Record<keyof typeof loops, () => Promise<unknown>>> = {
  questions: () => client.send(newId('conversation'), 'tokens=50 rate=80'),
  lists: () => client.call('GET /api/chat/conversations'),
  searches: () => client.call('GET /api/chat/search', { query: { q: 'tokens' } }),
  uploads: () => client.upload('flood.md', text),
  invitations: () => {
    const people = Array.from({ length: invitedAtOnce }, () => {
      const id = newId('invitation');
      return { id, email: `${id.toLowerCase()}@example.net` };
    });
    const wanted = { role: 'guest' as const, groupIds: [], message: null, locale: 'en' as const, days: 7 as const };
    return client.call('POST /api/org/invitations', { body: { ...wanted, people } });
  },
};
for (const [name, count] of Object.entries(loops))
  for (let loop = 0; loop < count; loop += 1) void repeat(name, acts[name as keyof typeof loops]);
setInterval(() => parentPort!.postMessage(counts), reportEveryMs);

async function repeat(name: string, act: () => Promise<unknown>): Promise<never> {
  const counted = (counts[name] ??= { accepted: 0, refused: 0 });
  for (;;) {
    try {
      await act();
      counted.accepted += 1;
    } catch (error) {
      // A connection that is cut is a refusal, too.
      if (!(error instanceof RefusedCall || error instanceof TypeError)) throw error;
      counted.refused += 1;
      await wait(refusedMs);
    }
  }
}
