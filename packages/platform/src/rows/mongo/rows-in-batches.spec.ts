import { beforeAll, expect, test } from '@jest/globals';
import { orgId } from '@parley/protocol';
import { collection, jobScope } from './index.ts';
import { z } from 'zod';
import { anOrgId, testStore } from '@parley/testing';

const noteRows = collection(
  'notes',
  { _id: z.string(), orgId, isOld: z.boolean() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, isOld: 1 }] },
);
const { mongo, ready } = await testStore();
const notes = mongo.rows(noteRows);
const job = jobScope('tests');
beforeAll(ready);

test('changes and deletes rows in batches if they are too many for one command', async () => {
  const [mine, theirs] = [anOrgId(), anOrgId()];
  const rows = notes.within(job.in(mine));
  for (let from = 0; from < 900; from += 300)
    await rows.insertMany(
      Array.from({ length: 300 }, (_, at) => ({ _id: `note ${from + at}`, orgId: mine, isOld: false })),
    );
  await notes.within(job.in(theirs)).insert({ _id: 'other', orgId: theirs, isOld: false });
  await rows.updateInBatches({ orgId: mine, isOld: false }, { $set: { isOld: true } });
  expect(await rows.count({ orgId: mine, isOld: true })).toBe(900);
  await rows.deleteInBatches({ orgId: mine, isOld: true });
  expect([await rows.count({}), await notes.within(job.in(theirs)).count({})]).toEqual([0, 1]);
});

test('two concurrent transactions that insert the same rows insert each of them once', async () => {
  const mine = anOrgId();
  const aNote = (name: string, owner = mine) => ({ _id: `${mine} ${name}`, orgId: owner, isOld: false });
  const insert = (names: string[]) =>
    mongo.transaction((session) =>
      notes.within(job.in(mine), { session } as never).insertNew(names.map((name) => aNote(name))),
    );
  const [one, other] = await Promise.all([insert(['a', 'b', 'c']), insert(['b', 'c', 'd'])]);
  expect([...one, ...other].map(({ _id }) => _id).toSorted()).toEqual([aNote('b')._id, aNote('c')._id]);
  expect(await notes.within(job.in(mine)).count({})).toBe(4);
  const theirs = anOrgId();
  await notes.within(job.in(theirs)).insert(aNote('theirs', theirs));
  await expect(insert(['e', 'theirs'])).rejects.toMatchObject({ code: 'platform.conflict' });
  expect(await notes.within(job.in(mine)).count({})).toBe(4);
});
