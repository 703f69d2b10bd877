import { describe, expect, test } from '@jest/globals';
import { numberedSlug, slugFrom } from './organisation.ts';

describe('slugFrom', () => {
  test.each([
    ['Lindmoor Energy', 'lindmoor-energy'],
    ['  Café & Söhne  ', 'cafe-sohne'],
    ['شركة', 'organisation'],
    ['x'.repeat(80), 'x'.repeat(32)],
    [`${'a'.repeat(31)} b`, 'a'.repeat(31)],
  ])('%s becomes %s', (name, slug) => expect(slugFrom(name)).toBe(slug));
});

test('a taken slug gets a number', () => {
  expect([1, 2, 3].map((attempt) => numberedSlug('acme', attempt))).toEqual(['acme', 'acme-2', 'acme-3']);
});
