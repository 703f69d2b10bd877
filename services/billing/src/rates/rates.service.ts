import { Injectable } from '@nestjs/common';
import {
  ratesChanged,
  type createRate,
  type endRate,
  type findPriced,
  type importRates,
  type listRates,
  type Rate,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { InputOf } from '@parley/platform/service';
import { wordFilter } from '@parley/platform/text';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { personOf, toRate, type WantedRate } from './rate.ts';
import { readRateLines } from './rate-lines.ts';
import { planRates, type RatePlan } from './rate-plan.ts';
import { RatesRepository } from './rates.repository.ts';

const by = { sortName: 1, validFrom: -1 } as const;
const daySeconds = 86_400;
const none = { items: [], nextCursor: null };

/** The price table of the installation, kept by platform admins. */
@Injectable()
export class RatesService {
  constructor(
    private readonly repository: RatesRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async list({ scope, query }: InputOf<typeof listRates>): Promise<ResponseOf<typeof listRates>> {
    const { text, ...page } = query;
    const where = text === undefined ? {} : wordFilter('words', text);
    const [rates, currency] = await Promise.all([
      where ? this.repository.rates.within(scope).page(page, { by, where, to: toRate }) : none,
      this.repository.currency(scope),
    ]);
    return { ...rates, currency };
  }

  async findPriced({ scope, body }: InputOf<typeof findPriced>): Promise<ResponseOf<typeof findPriced>> {
    const now = this.clock.now();
    const [{ rates, until }, currency] = await Promise.all([
      this.repository.eachHolding(body.upstreams, now),
      this.repository.currency(scope),
    ]);
    const seconds = until && Math.ceil((until.getTime() - now.getTime()) / 1_000);
    const changesInSeconds = seconds && Math.min(Math.max(1, seconds), daySeconds);
    const prices = rates.map((rate) => rate && { inputMicros: rate.inputMicros, outputMicros: rate.outputMicros });
    return { isPriced: prices.map((price) => price !== null), prices, currency, changesInSeconds };
  }

  async create({ scope, principal, body }: InputOf<typeof createRate>): Promise<Rate> {
    const { currency, replaces, ...fields } = body;
    const wanted: WantedRate = {
      ...fields,
      validFrom: fields.validFrom === null ? null : new Date(fields.validFrom),
      validUntil: fields.validUntil === null ? null : new Date(fields.validUntil),
    };
    return this.work.run(principal, async (tx) => {
      const rates = this.repository.rates.within(scope, tx);
      const known = await rates.findById(wanted.id);
      if (known) return toRate(known);
      const there = await rates.find({ model: wanted.model, host: wanted.host });
      // Repeating is known by the id: a price that says the same is in the way.
      const situation = { there, by: principal, now: this.clock.now() };
      const plan = planRates([{ line: 1, wanted }], situation, replaces !== null);
      const [added] = plan.added;
      const isSeen = plan.ended.every(({ row }) => row._id === replaces);
      if (!added || !isSeen) throw refusalOf(plan, there.map(toRate));
      await this.repository.hold(scope, currency, tx);
      await this.repository.apply(scope, { plan, by: principal }, tx);
      const act = { did: 'set', price: { ...toRate(added), currency } } as const;
      const counts = { added: plan.added.length, ended: plan.ended.length };
      tx.record(ratesChanged, { by: principal.userId, ...counts, act });
      return toRate(added);
    });
  }

  async end({ scope, principal, params, body }: InputOf<typeof endRate>): Promise<Rate> {
    return this.work.run(principal, async (tx) => {
      const rates = this.repository.rates.within(scope, tx);
      const [row, currency] = await Promise.all([rates.findById(params.rateId), this.repository.currency(scope)]);
      if (!row || !currency) throw new Problem('billing.rate-not-found');
      const now = this.clock.now();
      const hasEnded = row.validUntil !== null && row.validUntil <= now;
      if (row.version !== body.version || hasEnded) throw new Problem('platform.conflict', { current: toRate(row) });
      const asked = body.validUntil === null ? now : new Date(body.validUntil);
      if (asked < now || (row.validUntil && asked > row.validUntil)) throw invalid('validUntil', 'from now to its end');
      const validUntil = asked < row.validFrom ? row.validFrom : asked;
      const change = { $set: { validUntil, endedBy: personOf(principal) }, $inc: { version: 1 } };
      await this.repository.hold(scope, currency, tx);
      const ended = await rates.change({ _id: row._id, version: row.version }, change);
      if (!ended) throw new Problem('platform.conflict', { current: toRate(row) });
      const counts = { added: 0, ended: 1 };
      const price = { ...toRate(ended), currency, validUntil: validUntil.toISOString() };
      tx.record(ratesChanged, { by: principal.userId, ...counts, act: { did: 'ended', price } });
      return toRate(ended);
    });
  }

  async import({ scope, principal, body }: InputOf<typeof importRates>): Promise<ResponseOf<typeof importRates>> {
    await this.repository.assertCurrency(scope, body.currency);
    const lines = readRateLines(body.csv);
    const models = [...new Set(lines.flatMap((line) => ('wanted' in line ? [line.wanted.model] : [])))];
    return this.work.run(principal, async (tx) => {
      const there = await this.repository.rates.within(scope, tx).find({ model: { $in: models } });
      const plan = planRates(lines, { there, by: principal, now: this.clock.now() }, body.replaces);
      const isDone = !body.isDryRun && plan.faults.length === 0;
      if (isDone && plan.added.length > 0) {
        await this.repository.hold(scope, body.currency, tx);
        await this.repository.apply(scope, { plan, by: principal }, tx);
        const counts = { added: plan.added.length, ended: plan.ended.length };
        tx.record(ratesChanged, { by: principal.userId, ...counts, act: { did: 'imported' } });
      }
      const { added, ended, unchanged, faults } = plan;
      return { isDone, added: added.length, ended: ended.length, unchanged, faults };
    });
  }
}

function refusalOf({ faults: [found] }: RatePlan, current: readonly Rate[]): Problem {
  if (found?.fault === 'past') return invalid('validFrom', 'is in the past: null is now');
  if (found?.fault === 'ends-before') return invalid('validUntil', 'is not after its beginning');
  return new Problem('billing.rate-overlaps', { current });
}

const invalid = (field: string, message: string): Problem =>
  new Problem('platform.invalid-request', { errors: [{ path: `body.${field}`, message }] });
