import { expect, test } from '@jest/globals';
import type { RoleKey } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { held, moved, replaced, type Guard, type Stand } from './guard.ts';

const guard: Guard = {
  memberCount: 2,
  ownerCount: 1,
  seatsHeld: 1,
  seatLimit: 4,
  roleCounts: { owner: 1, member: 1 },
  rightsVersion: 7,
};
const stand = (role: RoleKey, status: 'active' | 'suspended' = 'active'): Stand => ({ role, status });
const refusal = (act: () => unknown): string | null => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as Problem).code;
  }
};

test('whoever comes in, goes or gets another role is counted, and each change is a new version', () => {
  const more = moved(guard, null, stand('guest'));
  expect(more).toMatchObject({ memberCount: 3, roleCounts: { owner: 1, member: 1, guest: 1 }, rightsVersion: 8 });
  expect(moved(more, stand('guest'), stand('admin')).roleCounts).toEqual({ owner: 1, member: 1, guest: 0, admin: 1 });
  expect(moved(more, stand('guest'), null)).toMatchObject({ memberCount: 2, roleCounts: { guest: 0 } });
});

test.each<[string, Stand]>([
  ['leaves', null],
  ['gets another role', stand('admin')],
  ['is suspended', stand('owner', 'suspended')],
])('the last active owner never %s', (_how, after) => {
  expect(refusal(() => moved(guard, stand('owner'), after))).toBe('org.last-owner');
  expect(refusal(() => moved({ ...guard, ownerCount: 2 }, stand('owner'), after))).toBeNull();
});

test('a suspended owner is no owner, and one again when restored', () => {
  const suspended = moved({ ...guard, ownerCount: 2 }, stand('owner'), stand('owner', 'suspended'));
  expect(suspended.ownerCount).toBe(1);
  expect(moved(suspended, stand('owner', 'suspended'), stand('owner')).ownerCount).toBe(2);
});

test('seats are members and open invitations together, up to the limit', () => {
  const full = moved(guard, null, stand('member'));
  expect(refusal(() => moved(full, null, stand('member')))).toBe('org.seats-full');
  expect(refusal(() => held(full, 1))).toBe('org.seats-full');
  expect(moved(held(full, -1), null, stand('member'))).toMatchObject({ memberCount: 4, seatsHeld: 0 });
  expect(refusal(() => moved({ ...full, seatLimit: null }, null, stand('member')))).toBeNull();
});

test('over a limit that was lowered, people may go and change, and nobody comes', () => {
  const over = { ...guard, seatLimit: 1 };
  expect(moved(over, stand('member'), stand('guest')).memberCount).toBe(2);
  expect(moved(over, stand('member'), null).memberCount).toBe(1);
  expect(refusal(() => moved(over, null, stand('guest')))).toBe('org.seats-full');
});

test('a role that is replaced leaves its members to the other one', () => {
  const change = { from: 'member', to: 'guest' } as const;
  expect(replaced(guard, change).roleCounts).toEqual({ owner: 1, guest: 1 });
  const many = { ...guard, roleCounts: { owner: 1, member: 150, guest: 2 } };
  expect(replaced(many, { ...change, count: 100 }).roleCounts).toEqual({ owner: 1, member: 50, guest: 102 });
});
