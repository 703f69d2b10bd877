import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { Problem } from '@parley/protocol';
import type { ExportRow } from './export.collection.ts';
import { AccessLost, exportingPerson } from './exporting-person.ts';

const createdAt = new Date('2026-11-29T10:00:00.000Z');
const row = { orgId: newId('organisation'), userId: newId('user'), locale: 'de', createdAt } as ExportRow;
const member = {
  permissions: ['chat:read'],
  rightsVersion: 7,
  organisationName: 'Lindmoor Energy',
  role: 'member',
  groupIds: [],
  accessEnd: null as { at: string; reason: string } | null,
};
/** Org says that of the person. */
const person = (said: typeof member | Error) => {
  const call = async () => {
    if (said instanceof Error) throw said;
    return said;
  };
  return exportingPerson({ peers: { call } } as unknown as Platform, row);
};
const endedAt = (ms: number) => person({ ...member, accessEnd: { at: new Date(ms).toISOString(), reason: '' } });

describe('the person of an export', () => {
  test('is the member of that organisation with the permissions of now', async () => {
    const { scope, principal } = await person(member);
    expect(scope.orgId).toBe(row.orgId);
    expect(principal).toMatchObject({
      userId: row.userId,
      locale: 'de',
      organisation: { orgId: row.orgId, permissions: ['chat:read'], rightsVersion: 7 },
    });
  });

  test.each([0, 1, 86_400_000])('loses access if it was revoked %i ms after the export request', async (later) => {
    await expect(endedAt(createdAt.getTime() + later)).rejects.toBeInstanceOf(AccessLost);
  });

  test('keeps access that was ended before they asked for it: they signed in again', async () => {
    await expect(endedAt(createdAt.getTime() - 1)).resolves.toMatchObject({ principal: { userId: row.userId } });
  });

  test.each([
    ['without the permission', { ...member, permissions: [] }],
    ['who is out', new Problem('org.organisation-not-found')],
    ['in a suspended organisation', new Problem('org.organisation-suspended')],
    ['who is suspended', new Problem('org.membership-suspended')],
  ])('%s has lost access', async (_case, said) => {
    await expect(person(said)).rejects.toBeInstanceOf(AccessLost);
  });

  test('is unknown while org does not answer', async () => {
    const away = new Problem('platform.unavailable');
    await expect(person(away)).rejects.toBe(away);
  });
});
