import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { liveStreamOf, type Accepted, type Permission, type Revocation } from '@parley/contracts';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { eventually } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';
import type { Viewer } from '../../../conversations/index.ts';
import type { ModelClient } from '../../../assistants/models/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import type { FinishAnswer } from '../writing/finish-answer.ts';
import { GenerationWorker } from './generation-worker.ts';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import { hanging, whole, workersOf } from './worker-bench.spec-setup.ts';

const bench = await chatBench();
beforeAll(async () => {
  // Workers use the machine's time, so the bench must, too.
  bench.clock.advance(Date.now() - bench.clock.now().getTime());
  await bench.ready();
});
const { aWorker, workers, endAll } = workersOf(bench);
/** The abort signals of answers that wait after their first word. */
const halves: AbortSignal[] = [];
const half: ModelClient['answer'] = (request, onPart) => {
  const hangs = hanging(request, onPart);
  halves.push(request.signal);
  return hangs;
};
const untilHalf = (count = 1) => eventually(() => halves.length === count, `${count} answers have their first word`);
afterEach(async () => {
  halves.length = 0;
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await endAll();
});
const wishOf = ({ scope, principal }: Viewer) => ({ orgId: scope.orgId, userId: principal.userId });
const untilIs = (viewer: Viewer, asked: Accepted, status: string) =>
  eventually(async () => (await bench.find(viewer, asked)).status === status, `the answer is ${status}`);
const untilBusy = (worker: GenerationWorker, count: number) =>
  eventually(async () => worker.activeCount === count, `${count} answers are being written`);

test('one of several workers that see a waiting question answers it', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const both = [aWorker(whole), aWorker(whole)];
  for (const worker of both) await worker.lookForQuestions();
  await untilIs(viewer, asked, 'done');
  expect(await bench.find(viewer, asked)).toMatchObject({ text: 'Whole.', epoch: 1 });
});

test('counts an answer as awaiting its first word from the question until that word or its end', async () => {
  const { firstWords } = bench;
  const viewer = aViewer();
  const asking = bench.ask(viewer);
  expect(firstWords.areAwaited).toBe(true);
  const asked = await asking;
  expect(firstWords.areAwaited).toBe(false);
  const begun = Promise.withResolvers<void>();
  const word = Promise.withResolvers<void>();
  const worker = aWorker(async (request, onPart) => {
    begun.resolve();
    await word.promise;
    await half(request, onPart);
  });
  await worker.lookForQuestions();
  await begun.promise;
  expect(firstWords.areAwaited).toBe(true);
  word.resolve();
  await untilHalf();
  await eventually(() => !firstWords.areAwaited, 'its first word should be there');
  expect((await bench.find(viewer, asked)).status).toBe('running');
  const other = aViewer();
  const wordless = await bench.ask(other);
  await aWorker(() => Promise.reject(new Error('No words.'))).lookForQuestions();
  await untilIs(other, wordless, 'failed');
  await eventually(() => !firstWords.areAwaited, 'no word should be awaited');
});

test('writes no more answers at once than the worker has slots', async () => {
  const [viewer, other] = [aViewer(), aViewer()];
  for (const who of [viewer, viewer, other]) await bench.ask(who);
  const worker = aWorker(hanging, 2);
  const slot = worker.reserve(wishOf(aViewer()));
  await worker.lookForQuestions();
  await untilBusy(worker, 1);
  expect(worker.reserve(wishOf(aViewer()))).toBeNull();
  slot?.release();
  expect(worker.reserve(wishOf(aViewer()))).not.toBeNull();
  await worker.lookForQuestions();
  expect([worker.activeCount, worker.turns.count]).toEqual([1, 2]);
});

test('an organisation gets at most half of the slots, so another one passes its waiting questions', async () => {
  const [busy, other] = [aViewer(), aViewer()];
  const asked: Accepted[] = [];
  while (asked.length < 12) asked.push(await bench.ask(aViewer(busy.scope.orgId)));
  const late = await bench.ask(other);
  const worker = aWorker(hanging, 4);
  await worker.lookForQuestions();
  await untilIs(other, late, 'running');
  await untilBusy(worker, 3);
  const statuses = await Promise.all(asked.map(async (one) => (await bench.find(busy, one)).status));
  expect(statuses.filter((status) => status === 'running')).toHaveLength(2);
  expect(statuses.filter((status) => status === 'queued')).toHaveLength(10);
  const colleague = aViewer(other.scope.orgId);
  expect([worker.reserve(wishOf(busy)), worker.reserve(wishOf(colleague))]).toEqual([null, expect.anything()]);
});

test('the next question of an organisation gets the slot of its ended answer', async () => {
  const viewer = aViewer();
  const [first, second] = [await bench.ask(viewer), await bench.ask(viewer)];
  const worker = aWorker(hanging, 2);
  await worker.lookForQuestions();
  await untilIs(viewer, first, 'running');
  await bench.generations.requestStop(viewer.scope, first.answer.generation!.id);
  await untilBusy(worker, 1);
  await worker.applyStops();
  await untilIs(viewer, second, 'running');
});

test('a worker that stops gives its answer back with its text, and the next worker continues', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const first = aWorker(half, 50);
  await first.lookForQuestions();
  await untilHalf();
  await first.stop();
  expect(await bench.find(viewer, asked)).toMatchObject({ status: 'running', leaseHolder: null, text: 'Half' });
  await aWorker(whole, 50).lookForQuestions();
  await untilIs(viewer, asked, 'done');
  expect(await bench.find(viewer, asked)).toMatchObject({ epoch: 2, handOvers: 1, text: 'Whole.' });
});

test.each<[string, (viewer: Viewer) => Pick<Revocation, 'kind' | 'subject'>]>([
  ['the person', ({ principal }) => ({ kind: 'user', subject: principal.userId })],
  ['the membership', ({ scope, principal }) => ({ kind: 'membership', subject: `${scope.orgId}/${principal.userId}` })],
  ['the organisation', ({ scope }) => ({ kind: 'organisation', subject: scope.orgId })],
])('revoking %s stops its answers and no others', async (_whose, revoked) => {
  const [viewer, other] = [aViewer(), aViewer()];
  const [asked, theirs] = [await bench.ask(viewer), await bench.ask(other)];
  const worker = aWorker(half, 50);
  await worker.lookForQuestions();
  await untilHalf(2);
  worker.applyRevocation({ sequence: 1, rightsVersion: null, ...revoked(viewer) });
  await untilIs(viewer, asked, 'stopped');
  expect((await bench.find(other, theirs)).status).toBe('running');
});

test('answers end if the permission to ask was revoked, and continue if others were', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const rights: Permission[] = ['model:use'];
  let asks = 0;
  const endedAt = () => ((asks += 1), null);
  const worker = aWorker(half, 50, { rights, endedAt });
  await worker.lookForQuestions();
  await untilHalf();
  const changed = { sequence: 1, kind: 'organisation', subject: viewer.scope.orgId, rightsVersion: 2 } as const;
  worker.applyRevocation(changed);
  await eventually(() => asks === 1, 'its rights are asked for');
  expect(halves[0]?.aborted).toBe(false);
  rights.pop();
  worker.applyRevocation(changed);
  await untilIs(viewer, asked, 'stopped');
});

test('answers asked before a person’s access ended stop, though the permission to ask remains', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  let endedAt: Date | null = new Date((await bench.find(viewer, asked)).queuedAt.getTime() - 1);
  let asks = 0;
  const worker = aWorker(half, 50, { rights: ['model:use'], endedAt: () => ((asks += 1), endedAt) });
  await worker.lookForQuestions();
  await untilHalf();
  const { orgId } = viewer.scope;
  const subject = `${orgId}/${viewer.principal.userId}`;
  const revocation = { sequence: 1, kind: 'membership', subject, rightsVersion: 2 } as const;
  worker.applyRevocation(revocation);
  await eventually(() => asks === 1, 'the end of the access is asked for');
  expect(halves[0]?.aborted).toBe(false);
  endedAt = (await bench.find(viewer, asked)).queuedAt;
  worker.applyRevocation(revocation);
  await untilIs(viewer, asked, 'stopped');
});

test('a stop ends its answer with the text so far', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const worker = aWorker(half, 50);
  await worker.lookForQuestions();
  await untilHalf();
  await bench.generations.requestStop(viewer.scope, asked.answer.generation!.id);
  await worker.applyStops();
  await untilIs(viewer, asked, 'stopped');
  expect((await bench.find(viewer, asked)).text).toBe('Half');
});

test('a stop ends a waiting answer although no slot is free', async () => {
  const viewer = aViewer();
  const worker = aWorker(hanging, 2);
  const taken = worker.reserve(wishOf(viewer));
  const asked = await bench.ask(viewer);
  await bench.generations.requestStop(viewer.scope, asked.answer.generation!.id);
  await worker.applyStops();
  expect(await bench.find(viewer, asked)).toMatchObject({ status: 'stopped', text: '', leaseHolder: null });
  taken?.release();
});

test('stores an end without text if the whole one can’t be stored, so that nothing waits for ever', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const live = new MemoryLiveStream();
  const finish = Object.assign(Object.create(bench.finishing) as FinishAnswer, {
    finish: (...[held, end]: Parameters<FinishAnswer['finish']>) =>
      end.text === '' ? bench.finishing.finish(held, end) : Promise.reject(new Error('this text is refused')),
  });
  await aWorker(whole, 5, { finish, live }).lookForQuestions();
  await untilIs(viewer, asked, 'failed');
  expect(await bench.find(viewer, asked)).toMatchObject({ failure: 'internal', text: '', epoch: 1, leaseHolder: null });
  const { conversation, answer } = asked;
  const frames = () => live.read(liveStreamOf(conversation.id, answer.generation!.id), null);
  await eventually(async () => (await frames()).at(-1)?.end === 'failed', 'those who look on are told');
  expect((await bench.conversations.find(viewer.scope, conversation.id))?.running).toBeNull();
});

test('an answer ends at its deadline, whatever its model does', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const goingOn: ModelClient['answer'] = async ({ signal }, onPart) => {
    for (;;) {
      onPart({ kind: 'reasoning', text: 'Hm. ' });
      await wait(5, undefined, { signal });
    }
  };
  aWorker(goingOn, 5, { settings: { answerDeadlineMs: 50 } }).start();
  await untilIs(viewer, asked, 'failed');
  expect(await bench.find(viewer, asked)).toMatchObject({ failure: 'deadline-passed' });
});

test('deleting a conversation ends its running answer', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const worker = aWorker(hanging, 5);
  await worker.lookForQuestions();
  await untilIs(viewer, asked, 'running');
  await untilBusy(worker, 1);
  const params = { conversationId: asked.conversation.id };
  await bench.keeping.delete({ ...viewer, params } as never);
  await worker.applyStops();
  await untilIs(viewer, asked, 'stopped');
});
