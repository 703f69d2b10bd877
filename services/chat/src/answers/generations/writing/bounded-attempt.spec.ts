import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { liveStreamOf } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { NoBudget, type Reservations } from '../../../assistants/budgets/index.ts';
import { ModelFailure, type ModelClient, type ModelPart, type ModelRequest } from '../../../assistants/models/index.ts';
import { AnswerAttempt } from './answer-attempt.ts';
import { freeTime } from './answer-attempt.spec-setup.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { PreparedAnswer } from '../asking/prepare-answer.ts';

const live = new MemoryLiveStream();
const stallMs = 200;
afterEach(() => void jest.useRealTimers());

describe('attempts under a hard limit', () => {
  const upstream = { host: 'api.example.com', model: 'gpt' };
  const attemptUnder = (
    reserve: Reservations['reserve'],
    maxOutputTokens: number | null = null,
    { answer, ...more }: { answer?: ModelClient['answer'] } & Partial<Generation> = {},
  ) => {
    const asked: unknown[] = [];
    const generation = {
      _id: newId('generation'),
      orgId: newId('organisation'),
      conversationId: newId('conversation'),
      epoch: 2,
      text: '',
      textEpoch: 0,
      citations: [],
      stopRequested: false,
      locale: 'en',
      upstream,
      attempts: [{ attempt: 1, inputTokens: 0, outputTokens: 3 }],
      ...more,
    } as unknown as Generation;
    const attempt = new AnswerAttempt({
      time: freeTime,
      key: { flow: 'flow', organisation: 'organisation', person: 'person' },
      generation,
      liveStream: live,
      reservations: { reserve },
      stallMs,
      deadlineMs: 10_000,
    });
    const client = {
      answer: async (request: ModelRequest, onPart: (part: ModelPart) => void) => {
        asked.push(request.maxOutputTokens);
        await answer?.(request, onPart);
      },
    };
    const path = [{ role: 'person', text: 'Grüße' }];
    const wishes = { maxOutputTokens, stops: [] };
    const prepared = {
      client,
      path,
      passages: [],
      citations: [],
      documentCount: 0,
      contextTokens: 8_000,
      isBounded: true,
      ...wishes,
    };
    const run = () => attempt.run(Promise.resolve(prepared as unknown as PreparedAnswer));
    const frames = () => live.read(liveStreamOf(generation.conversationId, generation._id), null);
    return { attempt, asked, run, frames };
  };

  test('asks the model, with a limit of output tokens, once its possible cost is reserved', async () => {
    const wishes: unknown[] = [];
    const { attempt, asked, run } = attemptUnder(async (wish) => {
      expect(asked).toEqual([]);
      wishes.push(wish);
      return wish.outputTokens;
    });
    expect((await run())?.status).toBe('done');
    expect(asked).toEqual([4_096]);
    const ended = [{ attempt: 1, inputTokens: 0, outputTokens: 3 }];
    expect(wishes).toMatchObject([{ attempt: 2, upstream, outputTokens: 4_096, ended }]);
    expect(attempt.reservation).toMatchObject({ attempt: 2 });
  });

  test.each([
    [100, 100],
    [9_000, 4_096],
  ])('reserves and requests for a program that asks for at most %i tokens: %i', async (wanted, held) => {
    const wishes: unknown[] = [];
    const { asked, run } = attemptUnder(async (wish) => (wishes.push(wish), wish.outputTokens), wanted);
    await run();
    const least = Math.min(held, 256);
    expect([asked, wishes]).toMatchObject([[held], [{ outputTokens: held, leastOutputTokens: least }]]);
  });

  const cutAt =
    (outputTokens: number): ModelClient['answer'] =>
    async (_request, onPart) => {
      onPart({ kind: 'text', text: 'Three' });
      onPart({ kind: 'usage', inputTokens: 5, outputTokens });
      throw new ModelFailure('output-limit', null);
    };

  test('limits the model to the remaining budget, and reports an answer that this cuts', async () => {
    const { asked, run } = attemptUnder(async () => 300, null, { answer: cutAt(300) });
    expect(await run()).toMatchObject({
      status: 'failed',
      failure: 'output-limit',
      limitedBy: 'budget',
      text: 'Three',
    });
    expect(asked).toEqual([300]);
  });

  test.each([
    ['as much as was asked for is held', 4_096, 4_096],
    ['its model cut it before', 300, 299],
  ])('doesn’t blame the budget for a cut if %s', async (_why, held, written) => {
    const { run } = attemptUnder(async () => held, null, { answer: cutAt(written) });
    expect(await run()).not.toHaveProperty('limitedBy');
  });

  test('ends a program’s answer that the budget shortens as cut', async () => {
    const completionId = newId('completion');
    const { run } = attemptUnder(async () => 300, 1_000, { answer: cutAt(300), completionId });
    expect(await run()).toMatchObject({ status: 'done', isCut: true, text: 'Three' });
  });

  test('waits while billing is unavailable, even longer than a model may be silent', async () => {
    jest.useFakeTimers();
    const answered = Promise.withResolvers<number>();
    const bounded = attemptUnder(() => answered.promise, null, {
      answer: async (_request, onPart) => void onPart({ kind: 'text', text: 'Three' }),
    });
    const ending = bounded.run();
    await jest.advanceTimersByTimeAsync(stallMs + 1);
    bounded.attempt.endIfOverdue();
    expect(await bounded.frames()).toEqual([]);
    answered.resolve(4_096);
    expect(await ending).toMatchObject({ status: 'done', text: 'Three' });
    expect(bounded.asked).toEqual([4_096]);
    expect((await bounded.frames())[0]).toMatchObject({ seq: 1, delta: '' });
  });

  test('asks no model if no budget is left, and charges nothing', async () => {
    const { asked, run } = attemptUnder(async () => {
      throw new NoBudget({ budgetId: 'bud_1', amount: 9 });
    });
    expect(await run()).toMatchObject({
      status: 'failed',
      failure: 'budget-spent',
      failureDetail: 'bud_1 9',
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    expect(asked).toEqual([]);
  });
});
