import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { NoBudget } from '../budgets/index.ts';
import { AnswerAttempt } from './answer-attempt.ts';
import type { Generation } from './generation.collection.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

const live = new MemoryLiveStream();

describe('under a hard limit', () => {
  const upstream = { host: 'api.example.com', model: 'gpt' };
  const attemptUnder = (
    reserve: (wish: { readonly inputTokens: number; readonly outputTokens: number }) => Promise<void>,
    maxOutputTokens: number | null = null,
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
    } as unknown as Generation;
    const attempt = new AnswerAttempt({
      slot: { heard: () => true },
      generation,
      liveStream: live,
      reservations: { reserve },
      stallMs: 1_000,
      deadlineMs: 10_000,
    });
    const client = {
      answer: async (request: { maxOutputTokens: number | null }) => void asked.push(request.maxOutputTokens),
    };
    const turns = [{ role: 'person', text: 'Grüße' }];
    const wishes = { maxOutputTokens, stops: [] };
    const prepared = { client, turns, passages: [], citations: [], documentCount: 0, isBounded: true, ...wishes };
    return { attempt, asked, run: () => attempt.run(Promise.resolve(prepared as unknown as PreparedAnswer)) };
  };

  test('the model is asked once what it can cost is held, and is told its limit', async () => {
    const wishes: unknown[] = [];
    const { attempt, asked, run } = attemptUnder(async (wish) => {
      expect(asked).toEqual([]);
      wishes.push(wish);
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
  ])('of a program that asks for at most %i tokens %i are held and asked for', async (wanted, held) => {
    const wishes: unknown[] = [];
    const { asked, run } = attemptUnder(async (wish) => void wishes.push(wish), wanted);
    await run();
    expect([asked, wishes]).toMatchObject([[held], [{ outputTokens: held }]]);
  });

  test('the model is not asked where nothing is left, and nothing is charged', async () => {
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
