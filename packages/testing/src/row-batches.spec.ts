import { beforeAll, expect, test } from '@jest/globals';
import { orgId } from '@parley/contracts';
import { collection, jobScope } from '@parley/platform/mongo';
import { z } from 'zod';
import { anOrgId } from './builders.ts';
import { testStore } from './service-store.ts';

const noteRows = collection(
  'notes',
  { _id: z.string(), orgId, state: z.string() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, state: 1 }] },
);
const job = jobScope('tests');
const { mongo, ready } = await testStore();
const notes = mongo.rows(noteRows);
beforeAll(ready);

test('rows that are too many for one command are changed and deleted in batches, of one tenant only', async () => {
  const [mine, theirs] = [anOrgId(), anOrgId()];
  const rows = notes.within(job.in(mine));
  await notes.within(job.in(theirs)).insert({ _id: 'theirs', orgId: theirs, state: 'old' });
  for (let from = 0; from < 900; from += 300)
    await rows.insertMany(Array.from({ length: 300 }, (_, at) => ({ _id: `${from + at}`, orgId: mine, state: 'old' })));
  await rows.updateInBatches({ state: 'old' }, { $set: { state: 'new' } });
  expect([await rows.count({ state: 'old' }), await rows.count({ state: 'new' })]).toEqual([0, 900]);
  await rows.deleteInBatches({ state: 'new' });
  expect([await rows.count({}), await notes.within(job).count({})]).toEqual([0, 1]);
});
