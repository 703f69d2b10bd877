import { expect, test } from '@jest/globals';
import { sampleAnswer } from '../../../testing/samples.ts';
import { isCut } from '@parley/contracts/cut-answers';
import { failureReasons } from '../../../domain/message/answer-failures.ts';
import { spineStateOf } from './answer-state.ts';

const nothing = { text: '', isEarlierAttempt: false, hasBegun: false, thoughts: '' };
const queued = sampleAnswer(
  { status: 'queued', epoch: 0, startedAt: null, finishedAt: null, usage: null },
  { text: '' },
);
const running = sampleAnswer({ status: 'running', finishedAt: null, usage: null }, { text: '' });

test('an answer is queued until a worker has it, not until its first word', () => {
  expect(spineStateOf(queued, nothing)).toBe('queued');
  expect(spineStateOf(queued, { ...nothing, hasBegun: true })).toBe('thinking');
  expect(spineStateOf(queued, { ...nothing, text: 'One', hasBegun: true })).toBe('writing');
});

test('an answer with a worker is thinking until its first word, and queued until there is budget', () => {
  expect(spineStateOf(running, nothing)).toBe('queued');
  expect(spineStateOf(running, { ...nothing, hasBegun: true })).toBe('thinking');
  expect(spineStateOf(running, { ...nothing, text: 'Of before', isEarlierAttempt: true })).toBe('thinking');
  expect(spineStateOf(running, { ...nothing, text: 'One' })).toBe('writing');
});

test('shows an answer that reached a limit as cut, not failed, as the ledger does', () => {
  const failures = Object.keys(failureReasons) as (keyof typeof failureReasons)[];
  const ended = failures.map((failure) => spineStateOf(sampleAnswer({ status: 'failed', failure }), nothing));
  expect(ended).toEqual(failures.map((failure) => (isCut(failure) ? 'cut' : 'failed')));
  expect(ended).toContain('cut');
});
