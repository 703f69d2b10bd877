import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDataFolder } from '@parley/embedded';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyBilling } from './billing.ts';

const orgId = newId('organisation');
const key = { orgId, day: '2026-11-21', model: 'prv_1/m' };
const used = { inputTokens: 3, outputTokens: 4, costMicros: 25 };
const entries = [1, 2].map((attempt) => ({
  _id: newId('ledgerEntry'),
  ...key,
  ...used,
  at: new Date(`${key.day}T10:00:00.000Z`),
  generationId: newId('generation'),
  attempt,
}));
const earlier = { attempts: 2, unpricedAttempts: 0, inputTokens: 6, outputTokens: 8, costMicros: 50 };
const right = { ...earlier, moneyMicros: 50, utcMicros: 50 };

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-billing-'));
  await openDataFolder(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const openStore = (): Promise<EmbeddedMongo> => startEmbeddedMongo({ file: join(folder, 'store.sqlite') });

async function plant(store: EmbeddedMongo, total: object): Promise<void> {
  const mongo = await Mongo.connect(store.uri('parley_billing'));
  const [ledger, days] = [mongo.connection.collection('ledger_entries'), mongo.connection.collection('spend_days')];
  await ledger.deleteMany({});
  await ledger.insertMany(entries as never[]);
  const _id = `${key.orgId}/${key.day}/${key.model}` as never;
  await days.replaceOne({ _id }, { _id, ...key, ...total }, { upsert: true });
  await mongo.close();
}

describe.each(['a data folder', 'MongoDB'] as const)('the ledger of %s', (edition) => {
  const verify = async (total: object) => {
    const store = await openStore();
    try {
      await plant(store, total);
      if (edition === 'a data folder') {
        await store.close();
        return await verifyBilling(folder);
      }
      process.env['PARLEY_MONGO_URL'] = store.uri('').replace(/\/(\?|$)/, '/$1');
      return await verifyBilling(undefined);
    } finally {
      delete process.env['PARLEY_MONGO_URL'];
      if (edition === 'MongoDB') await store.close();
    }
  };

  test('gives the totals that are there', async () => {
    expect(await verify(right)).toEqual({
      lines: ['Recomputed 1 totals from 2 entries: no difference.'],
      isRight: true,
    });
  });

  test('gives the totals that an earlier version has left', async () => {
    expect(await verify(earlier)).toMatchObject({ isRight: true });
  });

  test('does not give one that was changed: it is named', async () => {
    expect(await verify({ ...right, costMicros: 49 })).toEqual({
      lines: [
        `${orgId}  2026-11-21  prv_1/m  costMicros: the total is 49, the entries give 50`,
        'Recomputed 1 totals from 2 entries: 1 differ.',
      ],
      isRight: false,
    });
  });
});
