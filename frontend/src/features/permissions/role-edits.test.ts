import { describe, expect, it } from '@jest/globals';
import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { caughtUp, changedMeanwhile, changesOf, effectOf, isWanted, rightsAfter, toggled } from './role-edits.ts';

const role = (id: string, permissions: Permission[], over: Partial<Role> = {}): Role =>
  ({ id, name: id, permissions, memberCount: 2, version: 1, ...over }) as Role;
const readers = role('readers', ['chat:read']);
const writers = role('writers', ['chat:read', 'chat:create'], { memberCount: 3 });

describe('cells that are changed and not saved', () => {
  it('give and take, and a cell that is put back is no change', () => {
    const once = toggled(toggled({}, readers, 'chat:create'), readers, 'chat:read');
    expect(changesOf(once, [readers, writers])).toEqual([
      { role: readers, added: ['chat:create'], taken: ['chat:read'] },
    ]);
    expect(rightsAfter(changesOf(once, [readers])[0]!)).toEqual(['chat:create']);
    expect(toggled(toggled(once, readers, 'chat:create'), readers, 'chat:read')).toEqual({});
  });

  it('count the people of the roles that gain and of those that lose, each once', () => {
    let edits = toggled(toggled({}, readers, 'chat:create'), readers, 'model:use');
    edits = toggled(edits, writers, 'chat:create');
    expect(effectOf(changesOf(edits, [readers, writers]))).toEqual({ cells: 3, gain: 2, lose: 3 });
    expect(effectOf([])).toEqual({ cells: 0, gain: 0, lose: 0 });
  });
});

describe('what others do meanwhile', () => {
  const edits = toggled({}, writers, 'model:use');
  const theirs = role('writers', ['chat:read', 'audit:read'], { version: 2 });

  it('is told, and the own cells stay unsaved over it', () => {
    expect(changedMeanwhile(edits, [theirs])).toEqual([
      { base: writers, current: theirs, added: ['audit:read'], taken: ['chat:create'] },
    ]);
    const [change] = changesOf(edits, [theirs]);
    expect(change).toEqual({ role: theirs, added: ['model:use'], taken: [] });
    expect(rightsAfter(change!)).toEqual(['chat:read', 'audit:read', 'model:use']);
    const later = caughtUp(edits, changedMeanwhile(edits, [theirs])[0]!);
    expect(changedMeanwhile(later, [theirs])).toEqual([]);
    expect(isWanted(later, theirs, 'model:use')).toBe(true);
  });

  it('fulfils a wish, which is no change any more', () => {
    const fulfilled = role('writers', [...writers.permissions, 'model:use'], { version: 2 });
    expect(changesOf(edits, [fulfilled])).toEqual([]);
    expect(caughtUp(edits, changedMeanwhile(edits, [fulfilled])[0]!)).toEqual({});
  });

  it('is told of a role that is gone, until its cells are dropped', () => {
    const gone = { base: writers, current: null, added: [], taken: [] };
    expect(changedMeanwhile(edits, [])).toEqual([gone]);
    expect(changesOf(edits, [])).toEqual([]);
    expect(caughtUp(edits, gone)).toEqual({});
  });

  it('is nothing where only a name or the count of people changed', () => {
    expect(changedMeanwhile(edits, [{ ...writers, name: 'Authors', memberCount: 9, version: 2 }])).toEqual([]);
  });
});
