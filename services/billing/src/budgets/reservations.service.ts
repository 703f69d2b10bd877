import { Injectable } from '@nestjs/common';
import type { renewReservations, reserveBudget } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem, type BodyOf, type ResponseOf } from '@parley/protocol';
import { costOf, RatesRepository } from '../rates/index.ts';
import { Batches } from './batches.ts';
import {
  inPeriodOf,
  renewed,
  reserve,
  withoutExpired,
  type Amount,
  type Refusal,
  type Wanted,
} from './budget-sheet.ts';
import type { BudgetSheet, Reservation } from './budget-sheet.collection.ts';
import { BudgetSheets } from './budget-sheets.repository.ts';

/** While billing was away nobody could renew: after its start it waits so long before it frees what ran out. */
export const renewalMs = 10_000;
const answering = jobScope('answers of all organisations are reserved against their budgets');
const reserving = job('reserves budget for answers');

type Wish = BodyOf<typeof reserveBudget>;
/** Tells the refusal or the tokens of output that are reserved; neither where no hard limit counts it. */
type Decision = { readonly refusal: Refusal | null; readonly outputTokens?: number | undefined };
const unbounded: Decision = { refusal: null };
type Prices = Parameters<typeof costOf>[1];
const reservationIdOf = ({ generationId, attempt }: Pick<Wish, 'generationId' | 'attempt'>): string =>
  `${generationId}:${attempt}`;

/**
 * Reserves budget before a model is asked. What waits for the same organisation is decided in one transaction, in the order
 * in which it came.
 */
@Injectable()
export class ReservationsService {
  private readonly startedAt: Date;
  private readonly batches = new Batches<string, Wish, Decision>((orgId, wishes) =>
    this.reserveAll(answering.in(orgId as Wish['orgId']), wishes),
  );

  constructor(
    private readonly sheets: BudgetSheets,
    private readonly rates: RatesRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.now();
  }

  async reserve({ body }: InputOf<typeof reserveBudget>): Promise<ResponseOf<typeof reserveBudget>> {
    const { refusal, outputTokens } = await this.batches.add(body.orgId, body);
    if (refusal) throw new Problem('billing.budget-spent', { current: refusal });
    return outputTokens === undefined ? {} : { outputTokens };
  }

  async renew({ body }: InputOf<typeof renewReservations>): Promise<void> {
    const byOrganisation = Map.groupBy(body.reservations, ({ orgId }) => orgId);
    for (const [orgId, reservations] of byOrganisation) {
      const scope = answering.in(orgId);
      const ids = new Set(reservations.map(reservationIdOf));
      await this.work.run(reserving, async (tx) => {
        const before = await this.sheets.read(scope, tx);
        if (!before?.reservations.some(({ id }) => ids.has(id))) return;
        await this.sheets.write(scope, tx, { before, after: renewed(before, ids, this.clock.now()) });
      });
    }
  }

  private async reserveAll(scope: OrganisationScope, wishes: readonly Wish[]): Promise<readonly Decision[]> {
    if (!(await this.sheets.read(scope))) return wishes.map(() => unbounded);
    const wanted = await this.wanted(wishes);
    return this.work.run(reserving, async (tx) => {
      const before = await this.sheets.read(scope, tx);
      if (!before) return wishes.map(() => unbounded);
      const now = this.clock.now();
      const freed = this.freed(inPeriodOf(before, now), now);
      let after: BudgetSheet = freed.sheet;
      const reserved: Reservation[] = [];
      const decisions = wanted.map((one): Decision => {
        const done = reserve(after, one, now);
        after = done.sheet;
        if (done.reservation && done.isNew) reserved.push(done.reservation);
        return { refusal: done.refusal, outputTokens: done.reservation?.outputTokens };
      });
      await this.sheets.write(scope, tx, { before, after });
      await this.sheets.note(scope, tx, { kind: 'released', reservations: freed.released, at: now });
      await this.sheets.note(scope, tx, { kind: 'reserved', reservations: reserved, at: now });
      return decisions;
    });
  }

  private freed(sheet: BudgetSheet, now: Date): ReturnType<typeof withoutExpired> {
    const mayFree = now.getTime() - this.startedAt.getTime() >= renewalMs;
    return mayFree ? withoutExpired(sheet, now) : { sheet, released: [] };
  }

  /** Priced by the rates of now, each of which is looked up once. */
  private async wanted(wishes: readonly Wish[]): Promise<Wanted[]> {
    const now = this.clock.now();
    const prices = new Map<string, Prices | null>();
    const keyOf = ({ upstream: { host, model } }: Wish) => `${host} ${model}`;
    for (const wish of wishes) {
      const key = keyOf(wish);
      if (!prices.has(key)) prices.set(key, (await this.rates.holding(wish.upstream, now))?.rate ?? null);
    }
    return wishes.map((wish) => wantedBy(wish, prices.get(keyOf(wish)) ?? null));
  }
}

function wantedBy(wish: Wish, prices: Prices | null): Wanted {
  const { userId, groupIds, model, chatbotId = null, generationId, inputTokens } = wish;
  const { outputTokens: mostOutput, leastOutputTokens = mostOutput } = wish;
  return {
    id: reservationIdOf(wish),
    use: { userId, groupIds, model, chatbotId },
    amountOf: (outputTokens) => amountOf({ inputTokens, outputTokens }, prices),
    mostOutput,
    leastOutput: Math.min(leastOutputTokens, mostOutput),
    ended: wish.ended.map(({ attempt, ...tokens }) => ({
      id: reservationIdOf({ generationId, attempt }),
      ...amountOf(tokens, prices),
    })),
  };
}

/** What has no price costs nothing. Cached input may cost more than other input: all of it counts as the dearer kind. */
function amountOf(tokens: Pick<Wish, 'inputTokens' | 'outputTokens'>, prices: Prices | null): Amount {
  const sum = tokens.inputTokens + tokens.outputTokens;
  if (!prices) return { tokens: sum, costMicros: 0 };
  const inputMicros = Math.max(prices.inputMicros, prices.cachedMicros);
  return { tokens: sum, costMicros: costOf({ ...tokens, cachedTokens: 0 }, { ...prices, inputMicros }) };
}
