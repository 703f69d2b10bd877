import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ChatbotId, ChatbotTest, TestRun } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { getMembership, mostTests } from '@parley/contracts';
import type { Platform } from '@parley/platform/service';
import { TestJobs } from '@parley/testing';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { runTests, testRunsToJobs } from './test-jobs.ts';
import { askedAtOnce, TestRunner } from './test-runner.ts';
import { TestRunsService } from './test-runs.service.ts';
import { TestsRepository } from './tests.repository.ts';
import { TestsService } from './tests.service.ts';

const bench = await chatBench();
const { work, clock, chatbots, doorbell } = bench;
const rows = new TestsRepository(bench.mongo);
const tests = new TestsService(rows, chatbots, bench.documents, work, clock);
const runs = new TestRunsService(rows, chatbots, work, clock);
tests.onModuleInit();
beforeAll(bench.ready);

let mayAsk = true;
beforeEach(() => {
  mayAsk = true;
});
const peers = {
  call: async (route: unknown) =>
    route === getMembership ? { permissions: mayAsk ? ['model:use'] : [], accessEnd: null } : null,
};
const platform = { peers } as unknown as Platform;
const runner = new TestRunner(rows, bench.trying, bench.generations, doorbell, work, clock, platform);
const jobs = new TestJobs(bench).with(runTests, runner);
/** Makes one step of all runs. */
async function stepAll(): Promise<void> {
  clock.advance(1_000);
  await jobs.run();
}

const id = (viewer: Viewer, more: object) => ({ ...viewer, ...more }) as never;
const expects = (...words: string[]) => ({ words, passages: [] });
const add = (viewer: Viewer, chatbotId: ChatbotId, more: object = {}): Promise<ChatbotTest> =>
  tests.create(
    id(viewer, {
      params: { chatbotId },
      body: { id: newId('chatbotTest'), question: 'Which?', expects: expects('grey'), ...more },
    }),
  );
const list = (viewer: Viewer, chatbotId: ChatbotId) => tests.list(id(viewer, { params: { chatbotId } }));
const start = (viewer: Viewer, chatbotId: ChatbotId, more: object = {}): Promise<TestRun> =>
  runs.start(id(viewer, { params: { chatbotId }, body: { id: newId('testRun'), version: null, ...more } }));
const read = (viewer: Viewer, { id: runId }: TestRun) => runs.read(id(viewer, { params: { runId } }));
const draftOf = (viewer: Viewer, chatbotId: ChatbotId) => chatbots.getDraft(id(viewer, { params: { chatbotId } }));
const publish = async (viewer: Viewer, chatbotId: ChatbotId) => {
  const { revision } = await draftOf(viewer, chatbotId);
  return chatbots.publish(id(viewer, { params: { chatbotId }, body: { revision, note: '' } }));
};
const setGate = (viewer: Viewer, chatbotId: ChatbotId, least: number | null, was: number | null = null) =>
  tests.setGate(
    id(viewer, {
      params: { chatbotId },
      body: { was: was === null ? null : { least: was }, gate: least === null ? null : { least } },
    }),
  );
/** Ends the running answers of the test run. */
async function answer(viewer: Viewer, run: TestRun, text: string, more: object = {}): Promise<number> {
  const running = (await read(viewer, run)).results.filter(({ state }) => state === 'running');
  for (const { trialId } of running) {
    const { generationId } = (await bench.trials.find(viewer.scope, trialId!))!;
    await bench.end(viewer, { answer: { generation: { id: generationId } } as never }, { text, ...more });
  }
  return running.length;
}
/** Runs all tests, and answers each with the same text. */
async function whole(viewer: Viewer, chatbotId: ChatbotId, text: string): Promise<TestRun> {
  const run = await start(viewer, chatbotId);
  for (let left = 20; left > 0; left -= 1) {
    await stepAll();
    await answer(viewer, run, text);
    const now = await read(viewer, run);
    if (now.status !== 'running') return now;
  }
  throw new Error('The run does not end.');
}
const statesOf = ({ results }: TestRun) => results.map(({ state }) => state);

describe('tests of a chatbot', () => {
  test('creates a test once, changes it only from its current revision, and deletes it with its chatbot', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    const wish = { id: newId('chatbotTest') };
    const made = await add(viewer, chatbotId, wish);
    expect(await add(viewer, chatbotId, { ...wish, question: 'Other?' })).toEqual(made);
    const change = (revision: number) =>
      tests.change(
        id(viewer, { params: { testId: made.id }, body: { revision, question: 'Now?', expects: expects('blue') } }),
      );
    expect(await change(1)).toMatchObject({ revision: 2, question: 'Now?' });
    await expect(change(1)).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { question: 'Now?' } },
    });
    await expect(tests.delete(id(aViewer(), { params: { testId: made.id } }))).rejects.toMatchObject({
      code: 'platform.not-found',
    });
    await chatbots.delete(id(viewer, { params: { chatbotId } }));
    expect(await rows.list(viewer.scope, chatbotId)).toEqual([]);
  });

  test(`allows ${mostTests} tests per chatbot; deleting one makes room, and other chatbots aren’t affected`, async () => {
    const viewer = aViewer();
    const [chatbotId, other] = [await bench.addChatbot(viewer, {}), await bench.addChatbot(viewer, {})];
    const first = await add(viewer, chatbotId);
    for (let count = 1; count < mostTests - 3; count += 1) await add(viewer, chatbotId);
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => add(viewer, chatbotId)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(add(viewer, chatbotId)).rejects.toMatchObject({
      code: 'org.limit-reached',
      message: 'Your organisation has reached the limit of 100 tests of a chatbot. Delete a test.',
    });
    expect(await add(viewer, chatbotId, { id: first.id })).toEqual(first);
    await add(viewer, other);
    await tests.delete(id(viewer, { params: { testId: first.id } }));
    await add(viewer, chatbotId);
  });

  test('accepts only passages from documents of the person’s own organisation', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    const foreign = { words: [], passages: [{ documentId: newId('document'), words: null }] };
    await expect(add(viewer, chatbotId, { expects: foreign })).rejects.toMatchObject({
      code: 'chat.document-not-found',
    });
  });
});

describe('runs of a chatbot’s tests', () => {
  test('asks a few tests at a time, judges each, and continues after a process ended', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    for (let count = 0; count < askedAtOnce + 1; count += 1) await add(viewer, chatbotId);
    await add(viewer, chatbotId, { expects: expects('blue') });
    const run = await start(viewer, chatbotId);
    expect(run).toMatchObject({ status: 'running', isOfDraft: true, counts: { all: askedAtOnce + 2, ended: 0 } });
    await stepAll();
    expect(await answer(viewer, run, 'Herons are grey.')).toBe(askedAtOnce);
    // A new runner has nothing in memory: it reads everything from the run's row.
    await stepAll();
    expect(statesOf(await read(viewer, run))).toEqual(['passed', 'passed', 'passed', 'running', 'running']);
    await answer(viewer, run, 'Herons are grey.');
    await stepAll();
    const done = await read(viewer, run);
    expect(done).toMatchObject({ status: 'done', counts: { all: 5, ended: 5, passed: 4 } });
    expect(done.results.at(-1)).toMatchObject({ state: 'failed', missing: { words: ['blue'], passages: [] } });
    expect(await list(viewer, chatbotId)).toMatchObject({ onDraft: { runId: run.id, passed: 4 } });
  });

  test('runs alone, returns the same run for a repeated start, and stops together with its answers', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    await expect(start(viewer, chatbotId)).rejects.toMatchObject({ code: 'platform.invalid-request' });
    for (let count = 0; count < askedAtOnce + 2; count += 1) await add(viewer, chatbotId);
    const wish = { id: newId('testRun') };
    const run = await start(viewer, chatbotId, wish);
    expect((await start(viewer, chatbotId, wish)).id).toBe(run.id);
    await expect(start(viewer, chatbotId)).rejects.toMatchObject({ code: 'platform.conflict' });
    await stepAll();
    await runs.stop(id(viewer, { params: { runId: run.id } }));
    await stepAll();
    const [first] = (await read(viewer, run)).results;
    const { generationId } = (await bench.trials.find(viewer.scope, first!.trialId!))!;
    expect((await bench.generations.findMany(viewer.scope, [generationId]))[0]!.stopRequested).toBe(true);
    await answer(viewer, run, '', { status: 'stopped' });
    await stepAll();
    const stopped = await read(viewer, run);
    expect(stopped.status).toBe('stopped');
    expect(new Set(statesOf(stopped))).toEqual(new Set(['skipped']));
    expect(await start(viewer, chatbotId)).toMatchObject({ status: 'running' });
  });

  test('stops the run of a person who can’t ask any more, and fails tests without an answer', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    await add(viewer, chatbotId);
    const failed = await start(viewer, chatbotId);
    await stepAll();
    await answer(viewer, failed, 'Herons are grey.', { status: 'failed', failure: 'budget-spent' });
    await stepAll();
    expect(statesOf(await read(viewer, failed))).toEqual(['unanswered']);
    mayAsk = false;
    const refused = await start(viewer, chatbotId);
    await stepAll();
    expect(await read(viewer, refused)).toMatchObject({ status: 'stopped', results: [{ state: 'skipped' }] });
  });

  test('continues a run that an earlier version started', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    await add(viewer, chatbotId);
    const run = await start(viewer, chatbotId);
    await stepAll();
    await bench.mongo.connection.collection('jobs').deleteMany({});
    for (const _ of ['once', 'repeated']) await testRunsToJobs.batch(bench.mongo, null);
    await answer(viewer, run, 'Herons are grey.');
    await stepAll();
    expect(await read(viewer, run)).toMatchObject({ status: 'done', counts: { all: 1, passed: 1 } });
  });

  test('stops a run whose steps keep failing, so that another can start', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    await add(viewer, chatbotId);
    const run = await start(viewer, chatbotId);
    const failing = { run: () => Promise.reject(new Error('broken')), giveUp: runner.giveUp.bind(runner) };
    for (let attempt = 1; attempt <= runTests.attempts; attempt += 1) {
      clock.advance(runTests.pauseMs(attempt));
      await new TestJobs(bench).with(runTests, failing).run();
    }
    expect(await read(viewer, run)).toMatchObject({ status: 'stopped', results: [{ state: 'skipped' }] });
    expect((await start(viewer, chatbotId)).status).toBe('running');
  });

  test('keeps the last twenty runs of a chatbot', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    await add(viewer, chatbotId);
    for (let count = 0; count < 22; count += 1) {
      const { id: runId } = await start(viewer, chatbotId);
      await runs.stop(id(viewer, { params: { runId } }));
      await stepAll();
    }
    expect((await runs.list(id(viewer, { params: { chatbotId } }))).items).toHaveLength(20);
    expect(await rows.listRuns(aViewer().scope, chatbotId)).toEqual([]);
  });
});

describe('publishing with a required number of passing tests', () => {
  test('publishes only if enough of the current tests passed on exactly this draft', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    const [first] = [await add(viewer, chatbotId), await add(viewer, chatbotId)];
    await setGate(viewer, chatbotId, 2);
    await expect(setGate(viewer, chatbotId, 1)).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { gate: { least: 2 } } },
    });
    const tooFew = { code: 'chat.too-few-tests-pass' };
    await expect(publish(viewer, chatbotId)).rejects.toMatchObject(tooFew);
    await whole(viewer, chatbotId, 'Blue.');
    await expect(publish(viewer, chatbotId)).rejects.toMatchObject(tooFew);
    await whole(viewer, chatbotId, 'Grey.');
    expect(await publish(viewer, chatbotId)).toMatchObject({ published: { version: 2 } });
    const { revision, content } = await draftOf(viewer, chatbotId);
    const body = { revision, content: { ...content, instructions: 'Sing.' } };
    await chatbots.change(id(viewer, { params: { chatbotId }, body }));
    expect(await list(viewer, chatbotId)).toMatchObject({ onDraft: null, onPublished: { passed: 2 } });
    await expect(publish(viewer, chatbotId)).rejects.toMatchObject(tooFew);
    await whole(viewer, chatbotId, 'Grey.');
    const again = { revision: 1, question: 'And now?', expects: expects('grey') };
    await tests.change(id(viewer, { params: { testId: first.id }, body: again }));
    await expect(publish(viewer, chatbotId)).rejects.toMatchObject(tooFew);
    await setGate(viewer, chatbotId, null, 2);
    expect(await publish(viewer, chatbotId)).toMatchObject({ published: { version: 3 } });
  });

  test('publishes an event with the required number of passing tests and the number before', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    await setGate(viewer, chatbotId, 3);
    const told = (await bench.recorded()).filter(({ type }) => type === 'chatbot.gate-changed.v1');
    expect(told.at(-1)!.data).toMatchObject({ chatbotId, before: null, least: 3, by: viewer.principal.userId });
  });
});
