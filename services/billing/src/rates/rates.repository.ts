import { Injectable } from '@nestjs/common';
import type { PersonPrincipal } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { jobScope, Mongo, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { personOf } from './rate.ts';
import { priceTableRows, rateRows, type RateRow } from './rate.collection.ts';
import type { RatePlan } from './rate-plan.ts';

const answering = jobScope('answers of all organisations are priced by one table');
const tableId = 'prices';

/** Which model of which server was asked. */
export type Upstream = { readonly host: string; readonly model: string };
export type CurrentRate = Pick<RateRow, 'inputMicros' | 'outputMicros'>;

@Injectable()
export class RatesRepository {
  readonly rates: Rows<typeof rateRows>;
  private readonly tables: Rows<typeof priceTableRows>;

  constructor(mongo: Mongo) {
    this.rates = mongo.rows(rateRows);
    this.tables = mongo.rows(priceTableRows);
  }

  /** The rate that holds at that time, with its currency; that of the host goes before that of every provider. In no transaction. */
  async holding(
    { host, model }: Upstream,
    at: Date,
  ): Promise<{ readonly rate: RateRow; readonly currency: string } | null> {
    const where = { model, host: { $in: [host, null] } };
    const all = await this.rates.recall(answering, JSON.stringify([model, host]), (rows) => rows.find(where));
    const found = all.filter(
      ({ validFrom, validUntil }) => validFrom <= at && (validUntil === null || validUntil > at),
    );
    const rate = found.find((row) => row.host !== null) ?? found[0];
    const table = rate && (await this.tables.recall(answering, tableId, (rows) => rows.findById(tableId)));
    return rate && table ? { rate, currency: table.currency } : null;
  }

  /** The rate of each at that time, in their order; null where there is none. `until`: when one of them begins or ends. */
  async eachHolding(
    upstreams: readonly Upstream[],
    at: Date,
  ): Promise<{ readonly rates: (CurrentRate | null)[]; readonly until: Date | null }> {
    const models = [...new Set(upstreams.map(({ model }) => model))];
    const found = await this.rates
      .within(answering)
      .find(
        { model: { $in: models }, $or: [{ validUntil: null }, { validUntil: { $gt: at } }] },
        { fields: ['host', 'model', 'inputMicros', 'outputMicros', 'validFrom', 'validUntil'] },
      );
    const holding = found.filter(({ validFrom }) => validFrom <= at);
    const rateOf = new Map(holding.map((rate) => [`${rate.host ?? ''} ${rate.model}`, rate]));
    const rates = upstreams.map(({ host, model }) => rateOf.get(`${host} ${model}`) ?? rateOf.get(` ${model}`) ?? null);
    const changes = found.map(({ validFrom, validUntil }) => (validFrom > at ? validFrom : validUntil));
    const times = changes.flatMap((time) => time?.getTime() ?? []);
    return { rates, until: times.length > 0 ? new Date(Math.min(...times)) : null };
  }

  /** Null before the first rate. */
  async currency(scope: PlatformScope, tx?: Transaction): Promise<string | null> {
    return (await this.tables.within(scope, tx).findById(tableId))?.currency ?? null;
  }

  /** Refuses another currency than that of the rates that are there. */
  async assertCurrency(scope: PlatformScope, wanted: string): Promise<void> {
    const currency = await this.currency(scope);
    if (currency !== null && currency !== wanted)
      throw new Problem('billing.other-currency', {
        detail: `All prices of this installation are in ${currency}.`,
        current: currency,
      });
  }

  /** Until the commit nobody else changes any rate; the first one sets the currency for ever. */
  async hold(scope: PlatformScope, currency: string, tx: Transaction): Promise<void> {
    const tables = this.tables.within(scope, tx);
    const { row } = await tables.insertOnce({ _id: tableId, currency, changes: 0 });
    if (row.currency !== currency) throw new Problem('billing.other-currency', { current: row.currency });
    await tables.update({ _id: tableId }, { $inc: { changes: 1 } });
  }

  /** Writes what was decided. */
  async apply(
    scope: PlatformScope,
    { plan, by }: { readonly plan: RatePlan; readonly by: PersonPrincipal },
    tx: Transaction,
  ): Promise<void> {
    const rates = this.rates.within(scope, tx);
    await rates.updateEach(
      plan.ended.map(({ row, at }) => ({
        filter: { _id: row._id, version: row.version },
        change: { $set: { validUntil: at, endedBy: personOf(by) }, $inc: { version: 1 } },
      })),
    );
    await rates.insertMany(plan.added);
  }
}
