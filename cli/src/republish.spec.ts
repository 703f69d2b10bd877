import { expect, test } from '@jest/globals';
import { openDataFolder } from '@parley/embedded';
import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { republishAll } from './republish.ts';

const people = 250;

test("org's organisations and memberships go out again, under the same ids each time", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-republish-'));
  await openDataFolder(folder);
  const inOrg = async <Result>(act: (connection: Mongo['connection']) => Promise<Result>): Promise<Result> => {
    const store = await startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
    const mongo = await Mongo.connect(store.uri('parley_org'));
    const result = await act(mongo.connection);
    await mongo.close();
    await store.close();
    return result;
  };
  const orgId = newId('organisation');
  const members = Array.from({ length: people }, () => newId('user'));
  await inOrg(async (connection) => {
    const row = { _id: orgId as never, createdBy: members[0], isApproved: true, rightsVersion: 1 };
    await connection.collection('organisations').insertOne(row);
    const rows = members.map((userId) => ({
      _id: `${orgId}/${userId}` as never,
      orgId,
      userId,
      role: 'member',
      rightsVersion: 1,
    }));
    await connection.collection('memberships').insertMany(rows);
  });
  const told = () =>
    inOrg(async (connection) => {
      const rows = await connection.collection('outbox').find().sort({ _id: 1 }).toArray();
      return rows.map(({ _id, envelope }) => {
        const { type, snapshot, actor } = JSON.parse(String(envelope)) as Record<string, unknown>;
        return { id: String(_id), type, snapshot, actor };
      });
    });
  expect(await republishAll('org', folder)).toEqual([`org: ${people + 2} events go out again as soon as it runs.`]);
  const first = await told();
  expect(Map.groupBy(first, ({ type }) => type).get('membership.added.v1')).toHaveLength(people);
  expect(new Set(first.map(({ snapshot, actor }) => `${String(snapshot)} ${String(actor)}`))).toEqual(
    new Set(['true job:publishes what it owns again']),
  );
  await republishAll('org', folder);
  expect(await told()).toEqual(first);
  await expect(republishAll('monitoring', folder)).rejects.toThrow('choose one of');
  rmSync(folder, { recursive: true });
}, 30_000);
