import { afterEach, beforeEach, jest } from '@jest/globals';
import { describeKv } from '@parley/testing';
import { MemoryKv } from './memory-kv.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
describeKv('memory', async () => new MemoryKv(), { isShared: false, shortMs: 2_000, pass });
