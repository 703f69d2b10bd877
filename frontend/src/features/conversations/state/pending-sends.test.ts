import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ConversationId, GenerationId, MessageId } from '@parley/contracts';
import { NetworkError, ProblemError } from '../../../lib/http.ts';
import { PendingSends, type PendingSend } from './pending-sends.ts';

const ulid = (n: number) => String(n).padStart(26, '0');
const conversationId = `cnv_${ulid(1)}` as ConversationId;
const send = (n: number): PendingSend => ({
  conversationId,
  messageId: `msg_${ulid(n)}` as MessageId,
  answerId: `msg_${ulid(n + 100)}` as MessageId,
  generationId: `gen_${ulid(n)}` as GenerationId,
  text: `question ${n}`,
  createdAt: '2026-11-21T10:00:00.000Z',
});
const refuse = (
  code: 'chat.model-not-found' | 'chat.queue-full' | 'platform.unauthenticated' | 'bff.upstream-unavailable',
  status: number,
) => new ProblemError({ type: '', title: '', status, code });

let answers: (Error | 'ok')[] = [];
let posted: PendingSend[] = [];
let accepted = 0;
let signedOut = 0;

function start(owner = 'send.usr.org') {
  return new PendingSends({
    owner,
    storage: localStorage,
    post: async (question) => {
      posted.push(question);
      const next = answers.shift() ?? 'ok';
      if (next !== 'ok') throw next;
      accepted += 1;
    },
    onUnauthenticated: () => signedOut++,
  });
}

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  [answers, posted, accepted, signedOut] = [[], [], 0, 0];
});
afterEach(() => {
  jest.useRealTimers();
});

describe('an unacknowledged question', () => {
  it('repeats a question with the same ids until it is acknowledged, then removes it from storage', async () => {
    answers = [new NetworkError(), refuse('bff.upstream-unavailable', 503)];
    const sends = start();
    sends.add(send(1));
    await jest.advanceTimersByTimeAsync(10);
    expect(localStorage.length).toBe(1);
    await jest.advanceTimersByTimeAsync(4000);
    expect(posted.map((question) => question.messageId)).toEqual(Array(3).fill(send(1).messageId));
    expect(posted[0]).toEqual(posted[2]);
    expect([accepted, sends.items.length, localStorage.length]).toEqual([1, 0, 0]);
  });

  it('retries a question after pauses that grow to 15 seconds', async () => {
    answers = Array.from({ length: 9 }, () => new NetworkError());
    const startedAt = Date.now();
    const sends = start();
    sends.add(send(1));
    const times: number[] = [];
    for (let passed = 0; passed < 61; passed += 1) {
      await jest.advanceTimersByTimeAsync(passed === 0 ? 10 : 1000);
      if (posted.length > times.length) times.push(Math.floor((Date.now() - startedAt) / 1000));
    }
    expect(times).toEqual([0, 1, 3, 7, 15, 30, 45, 60]);
    sends.close();
  });

  it('keeps an unacknowledged question over a reload', async () => {
    answers = [new NetworkError()];
    const before = start();
    before.add(send(1));
    await jest.advanceTimersByTimeAsync(10);
    before.close();
    const after = start();
    expect(after.items.map((item) => item.text)).toEqual(['question 1']);
    after.retryAll();
    await jest.advanceTimersByTimeAsync(10);
    expect([accepted, after.items.length, localStorage.length]).toEqual([1, 0, 0]);
  });

  it('never sends a question for another person', () => {
    answers = [new NetworkError()];
    start().add(send(1));
    expect(start('send.other.org').items).toEqual([]);
  });

  it('keeps the order of questions, and sends each after the previous one', async () => {
    answers = [new NetworkError()];
    const sends = start();
    sends.add(send(1));
    sends.add(send(2));
    await jest.advanceTimersByTimeAsync(10);
    expect(posted).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(2000);
    expect(posted.map((question) => question.text)).toEqual(['question 1', 'question 1', 'question 2']);
  });

  it.each([
    ['chat.model-not-found', 422],
    ['chat.queue-full', 409],
  ] as const)('keeps a question that is refused for good, with the reason (%s)', async (code, status) => {
    answers = [refuse(code, status)];
    const sends = start();
    sends.add(send(1));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(posted).toHaveLength(1);
    expect(sends.items[0]?.refusal?.code).toBe(code);
    sends.retryRefused(send(1).messageId, null);
    await jest.advanceTimersByTimeAsync(10);
    expect(accepted).toBe(1);
  });

  it('keeps a question when the session has ended', async () => {
    answers = [refuse('platform.unauthenticated', 401)];
    const sends = start();
    sends.add(send(1));
    await jest.advanceTimersByTimeAsync(10);
    expect([signedOut, sends.items.length, localStorage.length]).toEqual([1, 1, 1]);
  });

  it('takes back an unacknowledged question', () => {
    answers = [new NetworkError()];
    const sends = start();
    sends.add(send(1));
    expect(sends.withdraw(send(1).messageId)?.text).toBe('question 1');
    expect([sends.items.length, localStorage.length]).toEqual([0, 0]);
  });
});
