import { expect, it } from '@jest/globals';
import { organisationSlug } from '@parley/contracts';
import { slugOf } from './slug.ts';

it.each([
  ['Lindmoor Energy', 'lindmoor-energy'],
  ['  Ärzte & Co. ', 'arzte-co'],
  ['A'.repeat(60), 'a'.repeat(40)],
  ['x'.repeat(39) + ' y', 'x'.repeat(39)],
])('previews %s as %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
  expect(organisationSlug.safeParse(slugOf(name)).success).toBe(true);
});

it('has nothing to preview for a name without Latin letters', () => {
  expect(slugOf('مؤسسة')).toBe('');
});
