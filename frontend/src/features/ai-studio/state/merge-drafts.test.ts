import { describe, expect, it } from '@jest/globals';
import { sampleContent } from '../../../testing/chatbot-samples.ts';
import { differing, mergeContents, withParts } from './merge-drafts.ts';

const base = sampleContent();

describe('what two have made of one draft', () => {
  it('is both, where they changed different parts', () => {
    const mine = { ...base, instructions: 'Mine.' };
    const theirs = { ...base, temperature: 0.4, name: 'Grid' };
    expect(mergeContents(base, mine, theirs)).toEqual({
      merged: { ...base, instructions: 'Mine.', temperature: 0.4, name: 'Grid' },
      conflicts: [],
    });
  });

  it('is no conflict where both changed it to the same', () => {
    const same = { ...base, instructions: 'Same.' };
    expect(mergeContents(base, same, same)).toEqual({ merged: same, conflicts: [] });
  });

  it('names what both have changed to something else, and keeps mine', () => {
    const mine = { ...base, instructions: 'Mine.', glyph: 'heart' as const };
    const theirs = { ...base, instructions: 'Theirs.', starters: ['Which?'] };
    const { merged, conflicts } = mergeContents(base, mine, theirs);
    expect(conflicts).toEqual(['instructions']);
    expect(merged).toEqual({ ...base, instructions: 'Mine.', glyph: 'heart', starters: ['Which?'] });
    expect(withParts(merged, conflicts, theirs).instructions).toBe('Theirs.');
  });
});

it('parts differ by what is in them', () => {
  expect(differing(base, sampleContent())).toEqual([]);
  const other = { ...base, audience: { kind: 'some' as const, roles: [], groupIds: [], userIds: [] } };
  expect(differing(base, { ...other, temperature: 1 })).toEqual(['temperature', 'audience']);
});
