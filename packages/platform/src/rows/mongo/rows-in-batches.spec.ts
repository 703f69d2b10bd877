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

test('rows are changed and deleted in batches where they are too many for one command', async () => {
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
