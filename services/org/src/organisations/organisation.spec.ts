import { expect, test } from '@jest/globals';
import { numberedSlug } from './organisation.ts';

test('a taken slug gets a number', () => {
  expect([1, 2, 3].map((attempt) => numberedSlug('acme', attempt))).toEqual(['acme', 'acme-2', 'acme-3']);
});
