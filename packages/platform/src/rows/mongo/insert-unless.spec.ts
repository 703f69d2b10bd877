import { beforeAll, expect, test } from '@jest/globals';
import { testStore } from '@parley/testing';
import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { newId } from '../../base/ids/index.ts';
import { collection, jobScope } from './index.ts';

const { mongo, ready } = await testStore();
const entryRows = collection(
  'entries_once',
  { _id: z.string(), orgId, of: z.string(), attempt: z.number(), text: z.string(), note: z.string().optional() },
  { tenant: { organisation: 'orgId' }, indexes: [[{ orgId: 1, of: 1, attempt: 1 }, { unique: true }]] },
);
const entries = mongo.rows(entryRows);
beforeAll(ready);

const scope = jobScope('tests');
const inTransaction = <Result>(act: (tx: Parameters<typeof entries.within>[1]) => Promise<Result>) =>
  mongo.transaction((session) => act({ session } as never));

test('inserts a row completely unless a row of its organisation matches', async () => {
  const [mine, theirs] = [newId('organisation'), newId('organisation')];
  const row = { _id: 'one', orgId: mine, of: 'answer', attempt: 1, text: 'First' };
  const fit = { of: 'answer', attempt: 1 };
  const own = entries.within(scope.in(mine));
  expect(await own.insertUnless(fit, row)).toBe(true);
  expect(await own.insertUnless(fit, { ...row, _id: 'two', text: 'Second', note: 'later' })).toBe(false);
  expect(await own.find({})).toEqual([row]);
  const other = { ...row, _id: 'three', orgId: theirs };
  await expect(own.insertUnless({ of: 'answer', attempt: 2 }, other)).rejects.toThrow('another tenant');
  expect(await entries.within(scope.in(theirs)).insertUnless(fit, other)).toBe(true);
});

test('concurrent transactions insert the same row only once', async () => {
  const orgOfRace = newId('organisation');
  const row = { orgId: orgOfRace, of: 'race', attempt: 1 };
  const made = await Promise.all(
    ['a', 'b', 'c'].map((text) =>
      inTransaction((tx) =>
        entries
          .within(scope.in(orgOfRace), tx)
          .insertUnless({ of: 'race', attempt: 1 }, { ...row, _id: `race ${text}`, text }),
      ),
    ),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await entries.within(scope.in(orgOfRace)).count({})).toBe(1);
});
