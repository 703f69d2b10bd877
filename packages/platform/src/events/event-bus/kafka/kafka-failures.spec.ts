import { describe, expect, test } from '@jest/globals';
import { explain, isOutOfGroup, isPassing } from './kafka-failures.ts';

const failure = (about: object, cause?: Error): Error => Object.assign(new Error('failed', { cause }), about);

describe('temporary errors', () => {
  test.each<[string, Error]>([
    ['a broker that is away', failure({ name: 'KafkaJSConnectionError', retriable: true })],
    ['a coordinator that is not found', failure({ name: 'KafkaJSGroupCoordinatorNotFound', retriable: false })],
    ['a group that forms anew', failure({ name: 'KafkaJSProtocolError', type: 'REBALANCE_IN_PROGRESS' })],
    ['what one of these has caused', failure({}, failure({ name: 'KafkaJSRequestTimeoutError', retriable: true }))],
  ])('%s', (_what, error) => expect(isPassing(error)).toBe(true));

  test.each<[string, unknown]>([
    ['a refused password', failure({ name: 'KafkaJSSASLAuthenticationError', retriable: false })],
    ['an error of our own', failure({ name: 'TypeError', retriable: true })],
    ['no error at all', 'text'],
  ])('not %s', (_what, error) => expect(isPassing(error)).toBe(false));
});

test('only the coordinator ends a membership', () => {
  for (const type of ['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'NOT_COORDINATOR_FOR_GROUP'])
    expect(isOutOfGroup(failure({ type }))).toBe(true);
  expect(isOutOfGroup(failure({ type: 'REQUEST_TIMED_OUT' }))).toBe(false);
  expect(isOutOfGroup(failure({}))).toBe(false);
});

test('the error about a missing topic says what creates the topic; other errors stay as they are', () => {
  const missing = failure({}, failure({ type: 'UNKNOWN_TOPIC_OR_PARTITION' }));
  expect((explain(missing, ['a', 'b']) as Error).message).toContain('a, b. `parley topics`');
  const other = failure({ type: 'REQUEST_TIMED_OUT' });
  expect(explain(other, ['a'])).toBe(other);
});
