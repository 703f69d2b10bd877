import { currency, rateId } from '@parley/contracts';
import { userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const person = z.strictObject({ userId, name: z.string() });

export const rateRows = collection(
  'rates',
  {
    _id: rateId,
    host: z.string().nullable(),
    model: z.string(),
    /** By it the list is ordered. */
    sortName: z.string(),
    inputMicros: z.number().int(),
    outputMicros: z.number().int(),
    cachedMicros: z.number().int(),
    validFrom: z.date(),
    validUntil: z.date().nullable(),
    by: person,
    endedBy: person.nullable(),
    version: z.number().int(),
    /** Of model and host. */
    words: z.array(z.string()),
  },
  {
    tenant: 'platform',
    keys: ['words'],
    indexes: [
      { sortName: 1, validFrom: -1, _id: -1 },
      { host: 1, sortName: 1, validFrom: -1 },
      { words: 1 },
      { model: 1, host: 1, validFrom: -1 },
    ],
  },
);
export type NewRateRow = RowOf<typeof rateRows>;
/** As it is read. */
export type RateRow = Omit<NewRateRow, 'words'>;

/**
 * One row: the currency of all rates. Whoever changes rates changes it in the same transaction, so that of two who do
 * so at once the second sees what the first has done.
 */
export const priceTableRows = collection(
  'price_table',
  { _id: z.string(), currency, changes: z.number().int() },
  { tenant: 'platform' },
);
