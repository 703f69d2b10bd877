import { beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { testStore } from '@parley/testing';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import { BudgetRequests } from './budget-requests.repository.ts';
import { budgetRequestRows } from './budget-sheet.collection.ts';

const { mongo, work, clock, ready } = await testStore();
const requests = new BudgetRequests(mongo);
const scope = jobScope('tests').in(newId('organisation'));
const rows = mongo.rows(budgetRequestRows).within(scope);
const budgetId = newId('budget');
beforeAll(ready);

const request = () => {
  const userId = newId('user');
  const asked = { budgetId, userId, name: 'Noa', amount: 1, at: clock.now(), periodStart: '2026-11-01' };
  return { _id: `${scope.orgId}/${budgetId}/${userId}`, orgId: scope.orgId, dismissedAt: null, ...asked };
};

test('forgets more requests than a transaction may delete, and none that came later', async () => {
  // The test store refuses a transaction that writes more than a thousand.
  for (let part = 0; part < 3; part += 1) await rows.insertMany(Array.from({ length: 350 }, request));
  const until = clock.now();
  await work.run(job('tests'), (tx) => requests.forget(scope, tx, budgetId));
  clock.advance(1_000);
  const later = request();
  await rows.insert(later);
  await requests.forgetRest(scope, budgetId, until);
  expect((await rows.find({ budgetId })).map(({ _id }) => _id)).toEqual([later._id]);
});
