import { currency, pseudonymId } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const daySeconds = 86_400;
/** What was used longer ago is forgotten, and not counted when it is told again. */
export const keptDays = 400;

/** What is added up, named as in billing. */
export const usedFields = ['attempts', 'unpricedAttempts', 'inputTokens', 'outputTokens', 'costMicros'] as const;
export type Used = { readonly [Field in (typeof usedFields)[number]]: number };
export const nothingUsed: Used = { attempts: 0, unpricedAttempts: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
const used = Object.fromEntries(usedFields.map((field) => [field, z.number()])) as {
  [Field in keyof Used]: z.ZodNumber;
};

const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23] as const;
export type Hour = `hour${(typeof digits)[number]}`;
/** Of the organisation's time zone. One in which nothing was asked is absent. */
export const hours = digits.map((digit): Hour => `hour${digit}`);
const byHour = Object.fromEntries(hours.map((hour) => [hour, z.number()])) as Record<Hour, z.ZodNumber>;

const day = { orgId, day: z.iso.date(), pseudonym: pseudonymId };
const forgotten = [{ at: 1 }, { expireAfterSeconds: keptDays * daySeconds }] as const;

/**
 * What one person used on one day of the organisation's time zone. `<organisation>/<day>/<pseudonym>` is the id; who it
 * is stands nowhere.
 */
export const activeDayRows = collection(
  'active_day',
  {
    _id: z.string(),
    ...day,
    ...used,
    ...byHour,
    /** Of what had a price; absent where nothing had one. */
    currency,
    /** The latest time of that day, by which the row is forgotten; nobody is told. */
    at: z.date(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, day: 1 }, { orgId: 1, pseudonym: 1, day: 1 }, forgotten] },
);
export type ActiveDayRow = Omit<RowOf<typeof activeDayRows>, Hour | 'currency'> &
  Partial<Pick<RowOf<typeof activeDayRows>, Hour | 'currency'>>;

/** The same of one model; `<organisation>/<day>/<pseudonym>/<model>` is the id. */
export const activeModelRows = collection(
  'active_day_models',
  { _id: z.string(), ...day, model: z.string(), ...used, at: z.date() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, pseudonym: 1, day: 1 }, forgotten] },
);
