import { expect, test } from '@jest/globals';
import { idPrefixes, type AuditAct, type GroupId } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { asked, founded, inRole, orgSetup, tests } from '../org.spec-setup.ts';
import { auditRows, type AuditRow } from './audit.collection.ts';

const setup = await orgSetup();
const { audit, groups, mongo, people, roles } = setup;

type Kept = Partial<Pick<AuditRow, 'target' | 'targetName' | 'before' | 'after'>> & { readonly act: AuditAct };
/** Writes entries as 0.3.0 did and reads them. */
async function read(kept: (orgId: OrgId, owner: UserId) => Promise<readonly Kept[]> | readonly Kept[]) {
  const { orgId, owner } = await founded(setup);
  const rows = await kept(orgId, owner.userId);
  for (const { act, target = orgId, targetName = 'Lindmoor', before = null, after = null } of rows)
    await mongo
      .rows(auditRows)
      .within(tests.in(orgId))
      .insert({
        _id: newId('auditEntry'),
        orgId,
        at: new Date(),
        actorId: owner.userId,
        actorName: 'Ines Vardale',
        act,
        target,
        targetName,
        before,
        after,
        reason: null,
        words: [],
      });
  const { items } = await audit.list(asked(owner, { query: { limit: 50 } }));
  return items.filter(({ act }) => act !== 'organisation.created').toReversed();
}

test('a budget of 0.3.0 is read as amounts; of its currency nothing was kept', async () => {
  const limits = { unit: 'money', period: 'month', softLimit: null };
  const [money, tokens] = await read(() => [
    { act: 'budget.changed', before: { ...limits, hardLimit: 1_100_000 }, after: { ...limits, hardLimit: 5_100_000 } },
    { act: 'budget.created', after: { ...limits, unit: 'tokens', hardLimit: 900 } },
  ]);
  const amount = { kind: 'money', unit: 'micro', currency: null };
  expect(money!.changes).toEqual([
    { field: 'hardLimit', before: { ...amount, amount: 1_100_000 }, after: { ...amount, amount: 5_100_000 } },
  ]);
  expect(tokens!.changes).toEqual([
    { field: 'period', after: { kind: 'code', code: 'month' } },
    { field: 'softLimit', after: { kind: 'unlimited' } },
    { field: 'hardLimit', after: { kind: 'tokens', count: 900 } },
  ]);
});

test('roles, groups and people go by the names that they have now, what is gone by none', async () => {
  const [groupId, roleId, gone] = [newId('group'), newId('role'), newId('group')];
  const entries = await read(async (orgId, owner) => {
    const reader = inRole(orgId, 'owner', owner);
    await groups.create(asked(reader, { body: { id: groupId, name: 'Night shift' } }));
    await roles.create(asked(reader, { body: { id: roleId, name: 'Reporter', permissions: ['chat:read'] } }));
    const readers = { kind: 'some', roles: [], groupIds: [], userIds: [owner] };
    return [
      { act: 'member.role-changed', before: { role: 'member' }, after: { role: roleId } },
      { act: 'member.groups-changed', before: { groupIds: [] }, after: { groupIds: [groupId, gone] } },
      { act: 'connection.created', after: { source: 'web', readers } },
      { act: 'budget.deleted', target: groupId, targetName: groupId },
      {
        act: 'order.placed',
        target: 'ord_1',
        targetName: 'ord_1',
        after: { seats: 2, totalMinor: 900, currency: 'EUR' },
      },
    ] satisfies Kept[];
  });
  const ours = entries.filter(({ act }) => act !== 'group.created' && act !== 'role.created');
  const [role, inGroups, connection, budget, order] = ours;
  expect(role!.changes[0]!.after).toEqual({ kind: 'refs', refs: [{ of: 'role', id: roleId, name: 'Reporter' }] });
  const group = (id: GroupId, name: string | null) => ({ of: 'group', id, name });
  expect(inGroups!.changes[0]!.after).toEqual({
    kind: 'refs',
    refs: [group(groupId, 'Night shift'), group(gone, null)],
  });
  const { userId, name } = { ...connection!.actor, name: (await people.find(connection!.actor.userId)).name };
  expect(connection!.changes).toContainEqual({
    field: 'readers',
    after: { kind: 'refs', refs: [{ of: 'member', id: userId, name }] },
  });
  expect(budget!.target).toEqual({ of: 'group', id: groupId, name: 'Night shift' });
  expect(order!.target).toEqual({ of: 'order', id: 'ord_1', name: null });
  expect(order!.changes).toContainEqual({
    field: 'amount',
    after: { kind: 'money', amount: 900, unit: 'minor', currency: 'EUR' },
  });
});

test('ids that say nothing to people are left out', async () => {
  const [stopped, replayed] = await read(() => [
    { act: 'answer.stopped', before: { answer: newId('generation'), model: `prv_${'0'.repeat(26)}/atlas` } },
    { act: 'events.replayed', after: { service: 'org', events: ['audit-budget|evt_1', 'audit-budget|evt_2'] } },
  ]);
  expect(stopped!.changes).toEqual([{ field: 'model', before: { kind: 'text', text: 'atlas' } }]);
  expect(replayed!.changes).toContainEqual({ field: 'eventCount', after: { kind: 'count', count: 2 } });
  const prefixes = new RegExp(`"text":"(${Object.values(idPrefixes).join('|')})_`);
  expect(JSON.stringify([stopped, replayed])).not.toMatch(prefixes);
});
