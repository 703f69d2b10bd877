import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Accepted } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { OrgId } from '@parley/protocol';
import { eventually } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../../conversations/index.ts';
import type { ModelClient } from '../../../assistants/models/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { GenerationWorker, WorkerParts } from './generation-worker.ts';
import { hanging, whole, workersOf } from './worker-bench.spec-setup.ts';

const bench = await chatBench();
beforeAll(async () => {
  // Workers use the machine's time, so the bench must, too.
  bench.clock.advance(Date.now() - bench.clock.now().getTime());
  await bench.ready();
});
const { aWorker, workers, endAll } = workersOf(bench);
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await endAll();
});

const slots = 10;
/** A model that says a word now and then, and never ends. */
const dripping: ModelClient['answer'] = async ({ signal }, onPart) => {
  for (;;) {
    await onPart({ kind: 'text', text: 'Drip. ' });
    await wait(20, undefined, { signal });
  }
};
const untilIs = (viewer: Viewer, asked: Accepted, status: string) =>
  eventually(async () => (await bench.find(viewer, asked)).status === status, `the answer is ${status}`);
async function flood(viewers: readonly Viewer[], of: number): Promise<Accepted[]> {
  const asked: Accepted[] = [];
  for (const viewer of viewers) for (let count = 0; count < of; count += 1) asked.push(await bench.ask(viewer));
  return asked;
}
/** Returns people of one organisation: the given person's, or a new one. */
const colleagues = (count: number, of: Viewer = aViewer()): Viewer[] =>
  Array.from({ length: count }, () => aViewer(of.scope.orgId));
/** Puts the organisations of these people into one flow, a share of capacity. */
const oneFlowOf = (viewers: readonly Viewer[]): WorkerParts['flows'] => {
  const ids = viewers.map(({ scope }) => scope.orgId);
  return {
    keyOf: (organisation, person) => ({
      flow: ids.includes(organisation) ? 'common' : organisation,
      organisation,
      person,
    }),
    except: (flows) => ({ $nin: flows.includes('common') ? ids : (flows as OrgId[]) }),
  };
};
/** A worker with a model that never ends for these people, and answers others. */
function floodedBy(viewers: readonly Viewer[], more: Parameters<typeof aWorker>[2] = {}): GenerationWorker {
  const ids = new Set(viewers.map(({ scope }) => scope.orgId));
  const answerOf = ({ orgId }: Generation) => (ids.has(orgId) ? dripping : whole);
  return aWorker(whole, slots, { answerOf, ...more });
}

test('one person with five organisations and a model that never ends gets only a tenth of the slots', async () => {
  const userId = newId('user');
  const mine = Array.from({ length: 5 }, () => aViewer(undefined, { userId }));
  await flood(mine, 6);
  const worker = floodedBy(mine, { flows: oneFlowOf(mine) });
  worker.start();
  await eventually(async () => worker.activeCount === slots / 10, 'a tenth of the slots is taken');
  await worker.lookForQuestions();
  expect(worker.turns.count).toBe(slots / 10);
  const other = aViewer();
  await untilIs(other, await bench.ask(other), 'done');
  // A slot is free immediately, while the questions of the five organisations wait.
  const slot = worker.reserve({ orgId: other.scope.orgId, userId: other.principal.userId });
  expect(slot).not.toBeNull();
  slot?.release();
});

test('a person with a tenth of the slots doesn’t hide others’ questions, however many of their own came first', async () => {
  const [busy, other] = [aViewer(), aViewer()];
  await flood([busy], 40);
  const late = await bench.ask(other);
  const worker = aWorker(hanging, slots);
  await worker.lookForQuestions();
  await untilIs(other, late, 'running');
  expect([worker.turns.count, worker.turns.fullPersons.length]).toEqual([2, 2]);
});

test('twenty people of five organisations in the shared flow get half of the slots, so others are answered', async () => {
  const theirs = Array.from({ length: 5 }, () => colleagues(4)).flat();
  await flood(theirs, 1);
  const worker = floodedBy(theirs, { flows: oneFlowOf(theirs) });
  worker.start();
  await eventually(async () => worker.activeCount === slots / 2, 'half of the slots are taken');
  const other = aViewer();
  for (const asked of await flood([other], 3)) await untilIs(other, asked, 'done');
  expect(worker.activeCount).toBe(slots / 2);
});

test('organisations in the shared flow take turns: asking a lot earlier doesn’t put one first', async () => {
  const [many, one] = [colleagues(8), [aViewer()]];
  await flood(many, 1);
  const [late] = await flood(one, 1);
  const worker = aWorker(hanging, slots, { flows: oneFlowOf([...many, ...one]) });
  await worker.lookForQuestions();
  await untilIs(one[0]!, late!, 'running');
  expect(worker.turns.count).toBe(slots / 2);
});

test('organisations with flows of their own don’t wait for each other; those in the shared flow do', async () => {
  const [first, second] = [aViewer(), aViewer()];
  await flood(colleagues(slots, first), 1);
  const apart = aWorker(hanging, slots);
  await apart.lookForQuestions();
  await eventually(async () => apart.activeCount === slots / 2, 'the first has its half');
  const wish = { orgId: second.scope.orgId, userId: second.principal.userId };
  expect(apart.reserve(wish)).not.toBeNull();
  await apart.stop();
  const together = aWorker(hanging, slots, { flows: oneFlowOf([first, second]) });
  await together.lookForQuestions();
  await eventually(async () => together.activeCount === slots / 2, 'both have their half together');
  expect(together.reserve(wish)).toBeNull();
});
