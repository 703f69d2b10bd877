import { describe, expect, test } from '@jest/globals';
import { organisationSlug } from '@parley/contracts';
import { slugCandidate, suggestedSlug } from './organisation.ts';

describe('a URL name', () => {
  test.each([
    ['Lindmoor Energy', 'lindmoor-energy'],
    ['Für alle', 'fuer-alle'],
    ['شركة', 'shrkh'],
    ['公司', 'gongsi'],
    ['株式会社', 'zhushihuishe'],
    ['Банк Москвы', 'bank-moskvy'],
    ['😀', 'grinning'],
    ['\u{E000}', 'organisation'],
  ])('of %s is %s', (name, slug) => {
    expect(suggestedSlug(name)).toBe(slug);
    expect(organisationSlug.safeParse(slug).success).toBe(true);
  });

  test('that is taken gets a number, then a random ending', () => {
    const candidates = [1, 2, 3, 4].map((attempt) => slugCandidate('acme', attempt, () => 'c0ffee'));
    expect(candidates).toEqual(['acme', 'acme-2', 'acme-3', 'acme-c0ffee']);
    expect(organisationSlug.safeParse(slugCandidate('x'.repeat(24), 9, () => 'c0ffee')).success).toBe(true);
  });
});
