import { describe, expect, it } from '@jest/globals';
import { memberMe, memberNoor, sampleGroups, sampleInvitation, sampleLink } from '../../../testing/people-samples.ts';
import { fits, rowsOf } from './people-rows.ts';

const none = { text: null, role: null, groupId: null, status: null };
const people = {
  invitations: [sampleInvitation, sampleLink],
  hasMoreInvitations: false,
  members: [memberMe, memberNoor],
  hasMoreMembers: false,
  arrived: new Set<never>(),
  memberCount: null,
};
const shown = (over: object) =>
  rowsOf({ ...people, ...over }, String).map((row) => (row.kind === 'group' ? `${row.group} ${row.count}` : row.kind));

describe('the rows of people', () => {
  it('stand under heads with their numbers, with a plus where more may come', () => {
    expect(shown({})).toEqual(['invited 2', 'invitation', 'invitation', 'members 2', 'member', 'member']);
    expect(shown({ hasMoreInvitations: true, hasMoreMembers: true })).toEqual([
      'invited 2+',
      'invitation',
      'invitation',
      'more',
      'members 2+',
      'member',
      'member',
    ]);
    expect(shown({ hasMoreMembers: true, memberCount: 412 })).toContain('members 412');
  });

  it('have no head without anybody below it', () => {
    expect(shown({ invitations: [] })).toEqual(['members 2', 'member', 'member']);
    expect(shown({ members: [], invitations: [] })).toEqual([]);
  });

  it('show who joined just now where the invitations are', () => {
    const rows = rowsOf({ ...people, arrived: new Set([memberNoor.userId]) }, String);
    expect(rows.map((row) => (row.kind === 'member' ? [row.id, row.isNew] : row.kind))).toEqual([
      'group',
      [memberNoor.userId, true],
      'invitation',
      'invitation',
      'group',
      [memberMe.userId, false],
    ]);
  });
});

it.each([
  ['the beginning of a word of the address', { text: 'MORV' }, true],
  ['every word', { text: 'hanne lindmoor' }, true],
  ['a word that is not there', { text: 'hanne south' }, false],
  ['the middle of a word', { text: 'anne' }, false],
  ['its role', { role: 'analyst' }, true],
  ['another role', { role: 'member' }, false],
  ['its group', { groupId: sampleGroups[0]!.id }, true],
  ['another group', { groupId: sampleGroups[1]!.id }, false],
  ['a state, which only members have', { status: 'active' as const }, false],
])('an invitation is found by %s: %j → %s', (_what, filter, isFound) => {
  expect(fits({ ...sampleInvitation, groupIds: [sampleGroups[0]!.id] }, { ...none, ...filter })).toBe(isFound);
});
