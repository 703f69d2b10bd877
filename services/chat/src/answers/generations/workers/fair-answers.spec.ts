import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Accepted } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../../conversations/index.ts';
import type { ModelClient } from '../../../assistants/models/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { GenerationWorker, WorkerParts } from './generation-worker.ts';
import { everyOneItsOwn, hanging, whole, workersOf } from './worker-bench.spec-setup.ts';

const bench = await chatBench();
beforeAll(async () => {
  // Workers go by the time of the machine.
  bench.clock.advance(Date.now() - bench.clock.now().getTime());
  await bench.ready();
});
const { aWorker, workers, endAll } = workersOf(bench);
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await endAll();
});

const silentMs = 200;
const slots = 10;
/** A server that keeps the answer open and sends usage, and neither text nor reasoning. */
const onlyUsage: ModelClient['answer'] = async ({ signal }, onPart) => {
  for (;;) {
    onPart({ kind: 'usage', inputTokens: 1, outputTokens: 1 });
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
/** Returns people of one organisation: that of the given person, or a new one. */
const colleagues = (count: number, of: Viewer = aViewer()): Viewer[] =>
  Array.from({ length: count }, () => aViewer(of.scope.orgId));
/** All organisations of these people use one flow. */
const oneFlowOf = (viewers: readonly Viewer[]): WorkerParts['flows'] => {
  const ids = viewers.map(({ scope }) => scope.orgId);
  return {
    of: (orgId) => (ids.includes(orgId) ? 'usr_flood' : orgId),
    usersOf: (flows) => flows.flatMap((flow) => (flow === 'usr_flood' ? ids : everyOneItsOwn.usersOf([flow]))),
  };
};
/** One whose model says nothing to those, and answers anybody else. */
function floodedBy(viewers: readonly Viewer[], more: Parameters<typeof aWorker>[2] = {}): GenerationWorker {
  const ids = new Set(viewers.map(({ scope }) => scope.orgId));
  const answerOf = ({ orgId }: Generation) => (ids.has(orgId) ? onlyUsage : whole);
  return aWorker(whole, slots, { answerOf, settings: { silentMs }, ...more });
}

test('one person with five organisations and a silent model has a tenth of the slots, and another organisation is answered', async () => {
  const userId = newId('user');
  const mine = Array.from({ length: 5 }, () => aViewer(undefined, { userId }));
  await flood(mine, 6);
  // An answer counts as silent until its first word.
  const worker = floodedBy(mine, { flows: oneFlowOf(mine), settings: { silentMs: 0 } });
  worker.start();
  await eventually(async () => worker.activeCount === slots / 10, 'a tenth of the slots is taken');
  await worker.lookForQuestions();
  expect(worker.slots.answerCount).toBe(slots / 10);
  const other = aViewer();
  await untilIs(other, await bench.ask(other), 'done');
  // And at once, while the questions of the five wait.
  const slot = worker.reserve({ orgId: other.scope.orgId, userId: other.principal.userId });
  expect(slot).not.toBeNull();
  slot?.release();
});

test('a person with a tenth of the slots hides nobody else, however many questions of theirs came first', async () => {
  const [busy, other] = [aViewer(), aViewer()];
  await flood([busy], 40);
  const late = await bench.ask(other);
  const worker = aWorker(hanging, slots);
  await worker.lookForQuestions();
  await untilIs(other, late, 'running');
  expect([worker.slots.answerCount, worker.slots.fullPersons.length]).toEqual([2, 2]);
});

test('silent answers of five organisations take all slots, and another organisation is answered', async () => {
  const theirs = Array.from({ length: 5 }, () => colleagues(5)).flat();
  await flood(theirs, 3);
  const worker = floodedBy(theirs);
  worker.start();
  await eventually(async () => worker.activeCount > slots, 'silent answers have given up their slots');
  const other = aViewer();
  for (const asked of await flood([other], 3)) await untilIs(other, asked, 'done');
});

test('two organisations that a platform admin created do not wait for each other; two of one person do', async () => {
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

test('a silent answer that gave up its slot is not cut off: its words come, and it ends', async () => {
  const [slow, other] = [aViewer(), aViewer()];
  const said = Promise.withResolvers<void>();
  const late: ModelClient['answer'] = async (_request, onPart) => {
    await said.promise;
    onPart({ kind: 'text', text: 'Late.' });
  };
  const worker = aWorker(whole, 1, {
    answerOf: ({ orgId }) => (orgId === slow.scope.orgId ? late : hanging),
    settings: { silentMs },
  });
  const asked = await bench.ask(slow);
  await worker.lookForQuestions();
  await untilIs(slow, asked, 'running');
  const next = await bench.ask(other);
  worker.start();
  await untilIs(other, next, 'running');
  said.resolve();
  await untilIs(slow, asked, 'done');
  expect(await bench.find(slow, asked)).toMatchObject({ text: 'Late.', epoch: 1 });
});
