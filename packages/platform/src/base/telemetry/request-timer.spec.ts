import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import { createLogger } from '../logging/index.ts';
import { newCallContext } from '../call-context.ts';
import { NoMetrics } from './metrics.ts';
import { contextOfCall, requestTimer } from './request-timer.ts';

beforeAll(() => void jest.useFakeTimers());
afterAll(() => void jest.useRealTimers());

type Served = { service?: string; status?: number; ms?: number; isRepeat?: true; isAlone?: boolean };

/** Returns the info lines of one request. */
function linesOf({ service = 'chat', status = 200, ms = 5, isRepeat, isAlone = false }: Served): unknown[] {
  const lines: string[] = [];
  const logger = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
  const context = { ...newCallContext(null), ...(isRepeat && { isRepeat }) };
  const response = Object.assign(new EventEmitter(), { statusCode: status, locals: { [contextOfCall]: context } });
  const timer = requestTimer({ metrics: new NoMetrics(), logger, isAlone }, service, () => '/internal/things');
  const next = jest.fn();
  timer({ method: 'GET' } as Request, response as unknown as Response, next);
  jest.advanceTimersByTime(ms);
  response.emit('finish');
  expect(next).toHaveBeenCalledTimes(1);
  return lines.map((line) => JSON.parse(line) as unknown);
}

test('a successful request between services writes no info line', () => expect(linesOf({})).toEqual([]));

test.each<[string, Served, object]>([
  ['a refusal', { status: 404 }, { status: 404 }],
  ['a failure', { status: 503 }, { status: 503 }],
  ['a slow request', { ms: 1_000 }, { status: 200, milliseconds: 1_000 }],
  ['what had been done before', { isRepeat: true }, { repeat: true }],
  ['what comes from outside', { service: 'bff' }, { status: 200 }],
])('%s is one', (_name, served, line) => {
  const one = { msg: 'request', method: 'GET', route: '/internal/things', traceId: expect.any(String), ...line };
  expect(linesOf(served)).toMatchObject([one]);
});

test('a process that runs alone writes no info line for requests', () =>
  expect(linesOf({ isAlone: true, status: 503 })).toEqual([]));
