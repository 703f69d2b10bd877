import { afterEach, expect, test } from '@jest/globals';
import { listAudit, updateOrganisation, type noteDenials } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import type { BodyOf } from '@parley/protocol';
import { aPerson, silentLogger } from '@parley/testing';
import { Denials } from './denials.ts';

const organisation = { orgId: newId('organisation'), permissions: [], rightsVersion: 1 };
const person = aPerson({ name: 'Noa', organisation });
const now = Date.parse('2026-11-23T10:00:30.000Z');

let isAway = false;
let told: BodyOf<typeof noteDenials>['items'] = [];
const call = async (_route: unknown, { body }: { body: BodyOf<typeof noteDenials> }) => {
  if (isAway) throw new Error('org is away');
  told.push(...body.items);
};
const denials = new Denials({ peers: { call }, logger: silentLogger() } as unknown as Platform);
afterEach(async () => {
  isAway = false;
  await denials.close();
  told = [];
});

test('are one entry per person, route and minute, told when the minute is over', async () => {
  const other = aPerson({ name: 'Ida', organisation });
  for (const [who, at] of [
    [person, now],
    [person, now + 20_000],
    [other, now],
    [person, now + 40_000],
  ] as const)
    denials.note(who, listAudit, at);
  denials.note(person, updateOrganisation, now);
  await denials.tell(now - 60_000);
  expect(told).toEqual([]);
  await denials.tell(now);
  expect(told.map(({ name, route, count }) => [name, route, count])).toEqual([
    ['Noa', 'GET /api/org/audit', 2],
    ['Ida', 'GET /api/org/audit', 1],
    ['Noa', 'PATCH /api/org/organisations/:orgId', 1],
  ]);
  await denials.tell(now + 60_000);
  expect(told.slice(3)).toMatchObject([{ name: 'Noa', count: 1, at: '2026-11-23T10:01:10.000Z' }]);
});

test('are told once more, under the same ids, when org was away', async () => {
  denials.note(person, listAudit, now);
  isAway = true;
  await denials.tell(now);
  isAway = false;
  await denials.tell(now);
  await denials.tell(now);
  expect(told).toMatchObject([{ userId: person.userId, orgId: organisation.orgId, count: 1 }]);
});

test('are told at the end, and nothing of who is in no organisation', async () => {
  denials.note(aPerson(), listAudit, now);
  denials.note(person, listAudit, Date.now());
  await denials.close();
  expect(told).toHaveLength(1);
});

test('stop being counted when nobody takes them', async () => {
  for (let at = 0; at < 5_010; at += 1) denials.note(aPerson({ organisation }), listAudit, now);
  await denials.tell(now);
  expect(told).toHaveLength(5_000);
});
