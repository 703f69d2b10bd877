import { beforeEach, afterEach, describe, expect, jest, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { ModelFailure, type ModelPart } from '../../../assistants/models/index.ts';
import { attemptOf, saying, source, type Answer } from './answer-attempt.spec-setup.ts';
import { usedCitations } from '../asking/citations.ts';

afterEach(() => void [jest.restoreAllMocks(), jest.useRealTimers()]);
/** Stops the time of attempts until the test moves it. */
function timeStandsStill(): { passes(ms: number): void } {
  // A whole number, so that sums are exact.
  let now = Math.ceil(performance.now());
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  return { passes: (ms) => void (now += ms) };
}
/** Resolves once `hanging` or the result of `told` was called. */
let asked = Promise.withResolvers<void>();
beforeEach(() => void (asked = Promise.withResolvers()));

/** Returns an answer that says the parts that the test gives it, until it is aborted. */
function told(): { answer: Answer; say: Parameters<Answer>[1] } {
  const heard: { say: Parameters<Answer>[1] } = { say: () => undefined };
  const answer: Answer = async ({ signal }, onPart) => {
    heard.say = onPart;
    asked.resolve();
    await wait(600_000, undefined, { signal });
  };
  return { answer, say: (part) => heard.say(part) };
}
/** Says one word, then nothing until it is aborted. */
const hanging: Answer = async ({ signal }, onPart) => {
  onPart({ kind: 'text', text: 'One' });
  asked.resolve();
  await wait(600_000, undefined, { signal });
};

describe('an attempt', () => {
  test('ends as done with the model’s text and citations, and estimates tokens that aren’t reported', async () => {
    const { run, frames } = attemptOf(saying('See ', '[2].'));
    expect(await run()).toMatchObject({
      status: 'done',
      text: 'See [2].',
      citations: [source(2)],
      usage: { inputTokens: 2, outputTokens: 2, estimated: true },
      firstTokenAt: expect.any(Date),
    });
    expect((await frames()).every(({ epoch }) => epoch === 2)).toBe(true);
  });

  test('uses the token counts that the provider reports', async () => {
    const { run } = attemptOf(async (_, onPart) => void onPart({ kind: 'usage', inputTokens: 7, outputTokens: 9 }));
    expect(await run()).toMatchObject({ usage: { inputTokens: 7, outputTokens: 9, estimated: false } });
  });

  test('keeps its text when it is stopped', async () => {
    const { attempt, run } = attemptOf(hanging);
    const running = run();
    await asked.promise;
    attempt.apply({ stopRequested: true });
    expect(await running).toMatchObject({ status: 'stopped', text: 'One', failure: null });
  });

  test('asks no model if its stop was requested before it began', async () => {
    let isAsked = false;
    const { run } = attemptOf(async () => void (isAsked = true), { stopRequested: true });
    expect([(await run())?.status, isAsked]).toEqual(['stopped', false]);
  });

  test.each(['lease-lost', 'handed-over'] as const)(
    'counts no attempt after %s, and sends no more of its words',
    async (why) => {
      jest.useFakeTimers();
      const { attempt, run, frames } = attemptOf(hanging);
      const running = run();
      await asked.promise;
      if (why === 'lease-lost') attempt.apply(null);
      else attempt.interrupt(why);
      const said = (await frames()).length;
      expect(await running).toBeNull();
      await jest.advanceTimersByTimeAsync(60_000);
      expect(await frames()).toHaveLength(said);
    },
  );

  test.each<[string, Answer | null]>([
    ['what it needs is never there', null],
    ['its model does not listen', () => new Promise(() => undefined)],
  ])('that is stopped ends although %s', async (_what, answer) => {
    const { attempt, run } = attemptOf(answer ?? hanging);
    const running = answer === null ? attempt.run(new Promise(() => undefined)) : run();
    await nextTurn();
    attempt.interrupt('stopped');
    expect(await running).toMatchObject({ status: 'stopped', text: 'Of before' });
  });

  test('ignores a stop after its lease was lost', async () => {
    const { attempt, run } = attemptOf(hanging);
    const running = run();
    attempt.interrupt('lease-lost');
    attempt.interrupt('stopped');
    expect(await running).toBeNull();
  });

  test('fails as stalled without a word for too long, and keeps its text', async () => {
    const time = timeStandsStill();
    const { attempt, run } = attemptOf(hanging);
    const running = run();
    await asked.promise;
    time.passes(1_000);
    attempt.endIfOverdue();
    time.passes(1);
    attempt.endIfOverdue();
    expect(await running).toMatchObject({ status: 'failed', failure: 'provider-stalled', text: 'One' });
  });

  test.each<[string, string, ModelPart]>([
    ['text', 'stopped', { kind: 'text', text: 'So' }],
    ['reasoning', 'stopped', { kind: 'reasoning', text: 'Hm. ' }],
    ['usage', 'failed', { kind: 'usage', inputTokens: 1, outputTokens: 1 }],
  ])('that gets %s in time, and nothing more, ends as %s', async (_what, status, part) => {
    const time = timeStandsStill();
    const model = told();
    const { attempt, run } = attemptOf(model.answer);
    const running = run();
    await asked.promise;
    time.passes(900);
    model.say(part);
    time.passes(900);
    attempt.endIfOverdue();
    await nextTurn();
    attempt.interrupt('stopped');
    expect((await running)?.status).toBe(status);
  });

  test('ends at its deadline, however many words come', async () => {
    const time = timeStandsStill();
    const model = told();
    const { attempt, run } = attemptOf(model.answer);
    const running = run();
    await asked.promise;
    for (let passed = 0; passed < 10_000; passed += 500) {
      model.say({ kind: 'text', text: 'x' });
      time.passes(500);
      attempt.endIfOverdue();
    }
    model.say({ kind: 'reasoning', text: 'Hm. ' });
    time.passes(1);
    attempt.endIfOverdue();
    expect(await running).toMatchObject({ status: 'failed', failure: 'deadline-passed', text: 'x'.repeat(20) });
  });

  test('keeps the provider’s reason of a failure, but no details of any other error', async () => {
    const failing = (error: Error) => attemptOf(() => Promise.reject(error)).run();
    expect(await failing(new ModelFailure('provider-refused', 'bad key'))).toMatchObject({
      status: 'failed',
      failure: 'provider-refused',
      failureDetail: 'bad key',
    });
    expect(await failing(new Error('secret'))).toMatchObject({ failure: 'internal', failureDetail: null });
  });

  const thinking =
    (...thoughts: readonly string[]): Answer =>
    async (_request, onPart) => {
      for (const text of thoughts) onPart({ kind: 'reasoning', text });
      await passes(30);
      onPart({ kind: 'text', text: 'Three.' });
      await passes(300);
    };
  const passes = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const endOf = async ({ run }: ReturnType<typeof attemptOf>) => {
    jest.useFakeTimers();
    return (await Promise.all([run(), jest.advanceTimersByTimeAsync(1_000)]))[0];
  };

  test('keeps the model’s reasoning beside the answer, with its duration, and streams it', async () => {
    const attempt = attemptOf(thinking('Count. ', 'Three?'));
    const end = await endOf(attempt);
    expect(end).toMatchObject({ text: 'Three.', thoughts: { text: 'Count. Three?' }, firstTokenAt: expect.any(Date) });
    expect(end?.thoughts?.ms).toBe(30);
    const shown = await attempt.frames();
    expect(shown.map(({ thoughts }) => thoughts?.delta ?? '').join('')).toBe('Count. Three?');
    expect(shown.map(({ delta }) => delta).join('')).toBe('Three.');
  });

  test('counts reasoning alone as no first word, and estimates its tokens if none are reported', async () => {
    const { run } = attemptOf(async (_request, onPart) => {
      onPart({ kind: 'reasoning', text: '12345678' });
      throw new ModelFailure('provider-cut', null);
    });
    expect(await run()).toMatchObject({
      status: 'failed',
      firstTokenAt: null,
      thoughts: { text: '12345678' },
      usage: { inputTokens: 2, outputTokens: 2, estimated: true },
    });
  });

  test('keeps and shows no more reasoning than a page can hold, and continues', async () => {
    const attempt = attemptOf(thinking('x'.repeat(20_000), 'y'.repeat(20_000), 'z'));
    expect(await endOf(attempt)).toMatchObject({
      status: 'done',
      text: 'Three.',
      thoughts: { text: 'x'.repeat(20_000) + 'y'.repeat(12_000) },
    });
    const shown = (await attempt.frames()).map(({ thoughts }) => thoughts?.delta ?? '').join('');
    expect(shown).toHaveLength(32_000);
  });

  test('stores no reasoning if the model sends none or only blanks', async () => {
    expect(await attemptOf(saying('Three.')).run()).toMatchObject({ thoughts: null });
    expect(await endOf(attemptOf(thinking('\n', ' ')))).toMatchObject({ thoughts: null });
  });

  test('fails at the longest text, and neither stores nor shows more', async () => {
    const { attempt, run, frames } = attemptOf(saying('x'.repeat(199_999), 'y'.repeat(1_000_000)));
    const text = `${'x'.repeat(199_999)}y`;
    expect(await run()).toMatchObject({ status: 'failed', failure: 'too-long', text });
    attempt.writer.end('failed');
    expect((await frames()).map(({ delta }) => delta).join('') === text).toBe(true);
    expect(await attemptOf(saying('x'.repeat(200_000))).run()).toMatchObject({ status: 'done' });
    expect(await attemptOf(saying('x'.repeat(200_000), 'y')).run()).toMatchObject({ failure: 'too-long' });
  });

  test('never cuts its text within a character', async () => {
    const end = await attemptOf(saying('x'.repeat(199_999), '👋')).run();
    expect(end).toMatchObject({ failure: 'too-long', text: 'x'.repeat(199_999) });
  });

  test('keeps the previous attempt’s text in checkpoints until it has written more, but streams its own words', async () => {
    const model = told();
    const { attempt, run, frames } = attemptOf(model.answer, { citations: [source(1)] });
    const before = { text: 'Of before', textEpoch: 1, epoch: 2, citations: [source(1)] };
    expect(attempt.progress()).toMatchObject(before);
    const running = run();
    await asked.promise;
    model.say({ kind: 'text', text: 'One' });
    expect(attempt.progress()).toMatchObject(before);
    model.say({ kind: 'text', text: ' two [2].' });
    expect(attempt.progress()).toMatchObject({ text: 'One two [2].', textEpoch: 2, citations: [source(2)] });
    attempt.interrupt('stopped');
    expect(await running).toMatchObject({ text: 'One two [2].' });
    expect((await frames()).find(({ delta }) => delta !== '')).toMatchObject({ delta: 'One', offset: 0 });
  });

  test('keeps the previous attempt’s text if it ends without a word, and bills nothing for it', async () => {
    const kept = { text: 'Of before', citations: [source(1)], usage: { outputTokens: 0 } };
    const before = { citations: [source(1)] };
    const refused = () => Promise.reject(new ModelFailure('provider-refused', null));
    expect(await attemptOf(refused, before).run()).toMatchObject({ status: 'failed', ...kept });
    expect(await attemptOf(saying(), before).run()).toMatchObject({ status: 'done', ...kept });
  });
});

describe('an attempt that continues an answer', () => {
  const continued = { answerId: newId('message'), text: 'As [2] says, and her', citations: [source(2)] };
  const more = { continued, text: continued.text, textEpoch: 0, citations: [source(2)] };

  test('continues after the last gap, and begins its first frame with the text before', async () => {
    let beginning = '';
    const { attempt, run, frames } = attemptOf(async (request, onPart) => {
      beginning = request.beginning;
      for (const text of [' ', ' herons', ' [1].']) onPart({ kind: 'text', text });
    }, more);
    expect(await run()).toMatchObject({
      status: 'done',
      text: 'As [2] says, and herons [1].',
      citations: [source(1), source(2)],
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    expect(beginning).toBe('As [2] says, and ');
    attempt.writer.end('done');
    expect((await frames()).map(({ delta }) => delta).join('')).toBe('As [2] says, and herons [1].');
  });

  test('keeps the continued text with its sources if it ends without a word', async () => {
    const kept = { text: continued.text, citations: [source(2)], usage: { outputTokens: 0 } };
    const refused = () => Promise.reject(new ModelFailure('provider-refused', null));
    expect(await attemptOf(refused, more).run()).toMatchObject({ status: 'failed', ...kept });
    expect(await attemptOf(saying(), more).run()).toMatchObject({ status: 'done', ...kept });
    const { attempt } = attemptOf(hanging, more);
    const running = attempt.run(new Promise(() => undefined));
    expect(attempt.progress()).toMatchObject({ text: continued.text, textEpoch: 0 });
    attempt.interrupt('stopped');
    expect(await running).toMatchObject({ status: 'stopped', ...kept });
  });

  test('stores continued and new text in checkpoints, and begins after the continued text when restarted', async () => {
    const { attempt, run } = attemptOf(hanging, { ...more, text: 'As [2] says, and of', textEpoch: 1 });
    const running = run();
    await asked.promise;
    expect(attempt.progress()).toMatchObject({ text: 'As [2] says, and One', textEpoch: 2 });
    attempt.interrupt('stopped');
    await running;
  });
});

test('keeps only citations that the text names', () => {
  expect(usedCitations('As [1] says, and [12].', [source(1), source(2), source(12)])).toEqual([source(1), source(12)]);
});
