import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { isSoughtBy, labelsOf, monthOf, newPseudonymKey, pseudonymOf } from './pseudonym.ts';

const key = newPseudonymKey();
const noor = { orgId: newId('organisation'), userId: newId('user'), month: '2026-11' };

describe('a pseudonym', () => {
  test('is the same all month, and another one in another month, organisation, or by another key', () => {
    const ids = [
      pseudonymOf(key, noor),
      pseudonymOf(key, { ...noor, month: '2026-12' }),
      pseudonymOf(key, { ...noor, orgId: newId('organisation') }),
      pseudonymOf(key, { ...noor, userId: newId('user') }),
      pseudonymOf(newPseudonymKey(), noor),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(pseudonymOf(key, { ...noor, month: monthOf('2026-11-30') })).toBe(ids[0]);
    expect(ids[0]).toMatch(/^[0-9a-f]{24}$/);
  });

  test('is shown by its first characters, by more only where others begin alike', () => {
    const ids = ['7c19aa', '7c19ab', '7c19bb', '0d6eff'].map((start) => start.padEnd(24, '0'));
    const labels = labelsOf(ids);
    expect(ids.map((id) => labels.get(id))).toEqual(['P-7C19AA', 'P-7C19AB', 'P-7C19B', 'P-0D6E']);
    expect(labelsOf([...ids, ...ids])).toEqual(labels);
  });

  test('is found by how it begins, however it is typed', () => {
    const id = '7c19aa'.padEnd(24, '0');
    for (const text of ['P-7C', 'p7c19', ' 7c ', 'P-', '7C19AA']) expect(isSoughtBy(text, id)).toBe(true);
    for (const text of ['c19', 'P-7D', 'usr_']) expect(isSoughtBy(text, id)).toBe(false);
  });
});
