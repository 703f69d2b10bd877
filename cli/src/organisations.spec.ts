import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDataFolder } from '@parley/embedded';
import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approveOrganisations } from './organisations.ts';

const data = mkdtempSync(join(tmpdir(), 'parley-organisations-'));
const ada = { _id: newId('user'), email: 'ada@example.com', name: 'Ada', locale: 'en', platformRole: 'admin' };
const grace = { ...ada, _id: newId('user'), email: 'grace@example.com', name: 'Grace' };

async function inOwner<Result>(owner: string, act: (mongo: Mongo) => Promise<Result>): Promise<Result> {
  const store = await startEmbeddedMongo({ file: join(data, 'store.sqlite') });
  const mongo = await Mongo.connect(store.uri(`parley_${owner}`));
  const result = await act(mongo).finally(() => mongo.close());
  await store.close();
  return result;
}
const row = (slug: string, isApproved: boolean) => {
  const [_id, createdAt] = [newId('organisation'), new Date()];
  const counts = { memberCount: 1, ownerCount: 1, seatsHeld: 0, seatLimit: null, roleCounts: { owner: 1 } };
  const named = { name: slug, slug, createdBy: grace._id, locale: 'en', timeZone: 'UTC', suspension: null, createdAt };
  return { _id, ...named, ...counts, isApproved, rightsVersion: 1, version: 1 };
};
const organisations = ['lindmoor', 'polder', 'esker', 'copperlane'].map((slug) => row(slug, slug === 'esker'));
const approved = () =>
  inOwner('org', async ({ connection }) => {
    const rows = await connection.collection('organisations').find({ isApproved: true }).sort({ slug: 1 }).toArray();
    const entries = await connection.collection('audit').find({}).sort({ _id: 1 }).toArray();
    const events = await connection.collection('outbox').countDocuments({});
    const who = entries.map((entry) => [entry['act'] as string, entry['actorName'] as string]);
    return { slugs: rows.map((one) => one['slug'] as string), who, hasEvents: events > 0 };
  });

beforeAll(async () => {
  await openDataFolder(data);
  await inOwner('auth', ({ connection }) => connection.collection('users').insertMany([ada, grace] as never[]));
  await inOwner('org', ({ connection }) => connection.collection('organisations').insertMany(organisations as never[]));
});
afterAll(() => rmSync(data, { recursive: true }));

test('organisations are approved by id or URL name, in the name of a platform admin, once', async () => {
  const names = ['lindmoor', organisations[1]!._id];
  const by = 'Grace@example.com';
  expect((await approveOrganisations(names, { data, by }))[0]).toContain('Organisations approved: 2.');
  expect((await approveOrganisations(names, { data, by }))[0]).toContain('Organisations approved: 0.');
  expect(await approved()).toEqual({
    slugs: ['esker', 'lindmoor', 'polder'],
    who: [
      ['own-flow.turned-on', 'Grace'],
      ['own-flow.turned-on', 'Grace'],
    ],
    hasEvents: true,
  });
});

test('all that are not approved are approved in the name of the first platform admin', async () => {
  expect((await approveOrganisations([], { data, all: true }))[0]).toContain('Organisations approved: 1.');
  expect((await approved()).who.at(-1)).toEqual(['own-flow.turned-on', 'Ada']);
});

test('an approval of nobody, of an unknown organisation or by nobody is refused', async () => {
  await expect(approveOrganisations([], { data })).rejects.toThrow('Name the organisations to approve, or give --all.');
  await expect(approveOrganisations(['nobody'], { data })).rejects.toThrow('nobody');
  await expect(approveOrganisations([], { data, all: true, by: 'x@example.com' })).rejects.toThrow(
    'not a platform admin',
  );
});
