import { defineEvent, defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween, type AuditedAct } from '../../events/audit.ts';
import { rateId } from '../../ids.ts';
import { limits } from '../../limits/sizes.ts';

/** An ISO 4217 code. The whole installation has one: that of its first rate. */
export const currency = z.string().regex(/^[A-Z]{3}$/, 'three capitals, such as EUR');

/** At most 100,000 of the currency for a million tokens. */
export const highestPriceMicros = 100_000_000_000;
const priceMicros = z.number().int().min(0).max(highestPriceMicros);

/** A model as its server knows it, letter by letter. */
export const modelName = z.string().trim().min(1).max(200);
/** Host and, unless it is the usual one, port of a provider's address: `api.example.com`, `10.0.0.5:11434`. */
export const providerHost = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(260)
  .regex(/^[^\s/@?#,;]+$/, 'write only the host, and its port if it has one');

/** Micro-units (millionths) of the currency for a million tokens. */
const prices = {
  inputMicros: priceMicros,
  outputMicros: priceMicros,
  /** For input that the model server had kept from before. */
  cachedMicros: priceMicros,
};
const person = z.strictObject({ userId, name: z.string() });

/**
 * What a model costs from `validFrom` until before `validUntil`; null is without end. Without a host it is the price at
 * every provider, and that of the host goes before it. Prices of one model and host never overlap in time, and none of
 * the past is ever changed.
 */
export const rate = z.strictObject({
  id: rateId,
  host: z.string().nullable(),
  model: z.string(),
  ...prices,
  validFrom: timestamp,
  validUntil: timestamp.nullable(),
  by: person,
  /** Who has said when it ends, after it was made. */
  endedBy: person.nullable(),
  version: z.number().int(),
});
export type Rate = z.infer<typeof rate>;

const platform = { service: 'billing', scope: 'platform' } as const;

/** By model, the newest price of each first; `text` filters by words of model and host. The currency is null before the first rate. */
export const listRates = defineRoute({
  ...platform,
  route: 'GET /api/billing/rates',
  cost: 'read',
  query: pageQuery.extend({ text: z.string().trim().min(1).max(100).optional() }),
  response: pageOf(rate).extend({ currency: currency.nullable() }),
});

/**
 * A price from now (`validFrom` null) or from a later time on. `billing.rate-overlaps` names the price that is in the
 * way; one without end that began before ends where this one begins when `replaces` names it. Another currency than that
 * of the rates that are there is `billing.other-currency`. Repeating it returns what is there.
 */
export const createRate = defineRoute({
  ...platform,
  route: 'POST /api/billing/rates',
  cost: 'write',
  status: 201,
  body: z.strictObject({
    id: rateId,
    currency,
    host: providerHost.nullable(),
    model: modelName,
    ...prices,
    validFrom: timestamp.nullable(),
    validUntil: timestamp.nullable(),
    replaces: rateId.nullable(),
  }),
  response: rate,
});

/** Ends it now (null) or later; one that has not begun never does. What has ended is `platform.conflict`. */
export const endRate = defineRoute({
  ...platform,
  route: 'PATCH /api/billing/rates/:rateId',
  cost: 'write',
  params: z.strictObject({ rateId }),
  body: z.strictObject({ version: z.number().int(), validUntil: timestamp.nullable() }),
  response: rate,
});

/** What a model costs now, in micro-units of the currency for a million tokens. */
const currentPrice = z.strictObject({ inputMicros: priceMicros, outputMicros: priceMicros });

/** Which of these models have a price now, and which. */
export const findPriced = defineRoute({
  service: 'billing',
  route: 'POST /internal/billing/priced',
  scope: 'internal',
  body: z.strictObject({ upstreams: z.array(z.strictObject({ host: z.string(), model: z.string() })).max(5_000) }),
  /** As many, in their order. */
  response: z.strictObject({
    isPriced: z.array(z.boolean()),
    /** Null where there is none; absent from processes of 0.2.0. */
    prices: z.array(currentPrice.nullable()).optional(),
    /** Of all prices; null before the first. Absent from processes of 0.2.0. */
    currency: currency.nullable().optional(),
    /** Until one of these prices begins or ends, 1 to 86,400 seconds from now; null if none is set to. */
    changesInSeconds: z.number().int().nullable().optional(),
  }),
});

/** So many lines one file may have. */
export const mostRateLines = 1_000;

/** What can be wrong with a line; `overlaps` with a rate that is there, `twice` with a line above. */
export const rateLineFault = z.enum([
  'columns',
  'host',
  'model',
  'price',
  'date',
  'past',
  'ends-before',
  'overlaps',
  'twice',
]);
export type RateLineFault = z.infer<typeof rateLineFault>;

/**
 * Rates from a CSV text: a line with the names of the columns (`model,input,output`, and if wanted
 * `host,cached,valid_from,valid_until` in any order), then at most 1,000 lines. Prices are in the currency for a million
 * tokens, such as `2.50`; `cached` left out is the price of input; dates are `2026-12-01` or a time in UTC. Separated by
 * comma, semicolon or tab. A line that says what holds already changes nothing, so repeating is harmless; with
 * `replaces`, prices without end are ended where the new ones begin. All lines are taken or, where one is wrong or it is
 * a `isDryRun`, none.
 */
export const importRates = defineRoute({
  ...platform,
  route: 'POST /api/billing/rates/import',
  cost: 'bulk',
  jsonBodyLimit: limits.largeJsonBytes,
  body: z.strictObject({ currency, csv: z.string().min(1).max(300_000), replaces: z.boolean(), isDryRun: z.boolean() }),
  response: z.strictObject({
    isDone: z.boolean(),
    added: z.number().int(),
    ended: z.number().int(),
    unchanged: z.number().int(),
    /** By line of the text, the first of which is 1. */
    faults: z.array(z.strictObject({ line: z.number().int(), fault: rateLineFault })),
  }),
});

/** Says what an admin did with the price table: with one price, or with a file of them. */
const ratesAct = z.object({
  did: z.enum(['set', 'ended', 'imported']),
  price: z
    .object({
      host: z.string().nullable(),
      model: z.string(),
      currency,
      ...prices,
      validFrom: timestamp,
      validUntil: timestamp.nullable(),
    })
    .nullish(),
});
type RatesAct = { readonly act: z.infer<typeof ratesAct>; readonly added: number; readonly ended: number };

function auditedAct({ act: { did, price }, added, ended }: RatesAct): AuditedAct {
  const { text, time, count } = auditValues;
  if (did === 'imported' || !price) {
    const counts = { ...(added && { pricesAdded: count(added) }), ...(ended && { pricesEnded: count(ended) }) };
    return {
      act: 'prices.imported',
      target: { of: 'prices', id: 'prices', name: null },
      changes: changesBetween(null, counts),
    };
  }
  const { host, model, currency: unit, inputMicros, outputMicros, cachedMicros, validFrom, validUntil } = price;
  const target = { of: 'model', id: model, name: model } as const;
  const where = { ...(host && { host: text(host) }) };
  const until = { ...(validUntil && { expires: time(validUntil) }) };
  if (did === 'ended') return { act: 'price.ended', target, changes: changesBetween(null, { ...where, ...until }) };
  const set = {
    inputPrice: auditValues.price(inputMicros, unit),
    outputPrice: auditValues.price(outputMicros, unit),
    cachedPrice: auditValues.price(cachedMicros, unit),
  };
  return {
    act: 'price.set',
    target,
    changes: changesBetween(null, { ...set, ...where, begins: time(validFrom), ...until }),
  };
}

/**
 * Prices of the installation were added or ended, now or for a later time. The audit logs of all organisations of the admin
 * have it: prices belong to none of them.
 */
export const ratesChanged = defineEvent('rates.changed.v1', 'billing', {
  data: z.object({ by: userId, added: z.number().int(), ended: z.number().int(), act: ratesAct.optional() }),
  key: 'by',
  live: { room: 'everybody', resources: ['models', 'prices', 'rates', 'budgets', 'my-budgets'] },
  audit: ({ by, added, ended, act }) =>
    act ? { ...auditedAct({ act, added, ended }), by, in: { memberOf: by } } : null,
});

export const rateRoutes = { listRates, createRate, endRate, importRates, findPriced };
