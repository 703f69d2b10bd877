import { expect, test } from '@jest/globals';
import { problemCatalogue } from '@parley/contracts';
import { problemOf } from './image-intake.ts';

const statusOf = (failure: Parameters<typeof problemOf>[0]['failure']): number =>
  problemCatalogue[problemOf({ failure }, 1).code].status;

test('an image that takes too long is answered with 503, so that clients retry', () => {
  expect(statusOf('took-too-long')).toBe(503);
});

test('an image that is none stays 422, and one that is too large 413', () => {
  expect([statusOf('image-unreadable'), statusOf('image-too-large')]).toEqual([422, 413]);
});
