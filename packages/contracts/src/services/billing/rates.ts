import { defineEvent, defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween, type AuditedAct } from '../../events/audit.ts';
import { rateId } from '../../ids.ts';
import { limits } from '../../limits/sizes.ts';

/** An ISO 4217 code. The installation has one currency: that of its first price. */
export const currency = z.string().regex(/^[A-Z]{3}$/, 'three capitals, such as EUR');

/** Limits a price to 100,000 units of the currency for a million tokens. */
export const highestPriceMicros = 100_000_000_000;
const priceMicros = z.number().int().min(0).max(highestPriceMicros);

/** The exact name of a model at its server. */
export const modelName = z.string().trim().min(1).max(200);
/** Host of a provider's address, with the port unless it is the usual one: `api.example.com`, `10.0.0.5:11434`. */
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
  /** For input that the model server had cached. */
  cachedMicros: priceMicros,
};
const person = z.strictObject({ userId, name: z.string() });

/**
 * The price of a model from `validFrom` until before `validUntil`; null: no end. Without a host it applies to every
 * provider, unless there is a price with the provider's host. Prices of one model and host never overlap, and past ones
 * never change.
 */
export const rate = z.strictObject({
  id: rateId,
  host: z.string().nullable(),
  model: z.string(),
  ...prices,
  validFrom: timestamp,
  validUntil: timestamp.nullable(),
  by: person,
  /** The person who set the end, after the price was created. */
  endedBy: person.nullable(),
  version: z.number().int(),
});
export type Rate = z.infer<typeof rate>;

const platform = { service: 'billing', scope: 'platform' } as const;

/**
 * Lists prices by model, newest first. `text` matches words of model and host. The currency is null before the first
 * price.
 */
export const listRates = defineRoute({
  ...platform,
  route: 'GET /api/billing/rates',
  cost: 'read',
  query: pageQuery.extend({ text: z.string().trim().min(1).max(100).optional() }),
  response: pageOf(rate).extend({ currency: currency.nullable() }),
});

/**
 * Creates a price from now (`validFrom` null) or later. `billing.rate-overlaps` names the price in the way. If
 * `replaces` names an earlier price without an end, that one ends where this one begins. `billing.other-currency` for
 * another currency than that of existing prices. Idempotent by id.
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

/**
 * Ends a price now (null) or later; a price that hasn't begun then never begins. `platform.conflict` if it has ended.
 */
export const endRate = defineRoute({
  ...platform,
  route: 'PATCH /api/billing/rates/:rateId',
  cost: 'write',
  params: z.strictObject({ rateId }),
  body: z.strictObject({ version: z.number().int(), validUntil: timestamp.nullable() }),
  response: rate,
});

/** Today's price of a model, in micro-units of the currency for a million tokens. */
const currentPrice = z.strictObject({ inputMicros: priceMicros, outputMicros: priceMicros });

/** Returns which of these models have a price now, with their prices. */
export const findPriced = defineRoute({
  service: 'billing',
  route: 'POST /internal/billing/priced',
  scope: 'internal',
  body: z.strictObject({ upstreams: z.array(z.strictObject({ host: z.string(), model: z.string() })).max(5_000) }),
  /** One result for each model, in the order of the request. */
  response: z.strictObject({
    isPriced: z.array(z.boolean()),
    /** Null without a price; missing in responses of 0.2.0. */
    prices: z.array(currentPrice.nullable()).optional(),
    /** The currency of all prices; null before the first. Missing in responses of 0.2.0. */
    currency: currency.nullable().optional(),
    /** Seconds until one of these prices begins or ends, 1 to 86,400; null if none will. */
    changesInSeconds: z.number().int().nullable().optional(),
  }),
});

/** Limits the lines of one imported file of prices. */
export const mostRateLines = 1_000;

/**
 * Lists the possible errors of a line in an imported file. `overlaps`: the price overlaps an existing one; `twice`: it
 * overlaps a line above.
 */
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
 * Imports prices from CSV: a line of column names (`model,input,output`, optionally
 * `host,cached,valid_from,valid_until`, in any order), then at most 1,000 lines. Prices are in the currency for a
 * million tokens, such as `2.50`. Without `cached`, cached input costs as input does. Dates are `2026-12-01` or a time
 * in UTC. Separators are comma, semicolon or tab. A line with a price that exists already changes nothing, so repeating
 * is harmless. `replaces` ends prices without an end where new ones begin. All lines are imported, or none if one is
 * wrong or with `isDryRun`.
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
    /** The errors by line of the CSV text; the first line is 1. */
    faults: z.array(z.strictObject({ line: z.number().int(), fault: rateLineFault })),
  }),
});

/** Describes what an admin did with one price, or with a file of prices. */
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
 * Prices of the installation were added or ended, now or for later. Prices belong to no organisation, so all
 * organisations of the admin have it in their audit logs.
 */
export const ratesChanged = defineEvent('rates.changed.v1', 'billing', {
  data: z.object({ by: userId, added: z.number().int(), ended: z.number().int(), act: ratesAct.optional() }),
  key: 'by',
  live: { room: 'everybody', resources: ['models', 'prices', 'rates', 'budgets', 'my-budgets'] },
  audit: ({ by, added, ended, act }) =>
    act ? { ...auditedAct({ act, added, ended }), by, in: { memberOf: by } } : null,
});

export const rateRoutes = { listRates, createRate, endRate, importRates, findPriced };
