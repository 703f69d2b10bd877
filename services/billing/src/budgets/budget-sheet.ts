import { isCountedBy, type BudgetId, type BudgetUse } from '@parley/contracts';
import type { BudgetSheet, CountedBudget, Reservation } from './budget-sheet.collection.ts';
import { periodAt } from './period.ts';

const dayMs = 86_400_000;
/** A worker that still writes renews it every few seconds. */
export const leaseMs = 15_000;

export type Amount = { readonly costMicros: number; readonly tokens: number };
export type Wanted = {
  readonly id: string;
  readonly use: BudgetUse;
  /** The most that it can use with so many tokens of output: never less with more of them. */
  readonly amountOf: (outputTokens: number) => Amount;
  readonly mostOutput: number;
  /** A shorter answer is none. */
  readonly leastOutput: number;
  /** What earlier attempts of the same answer have used. */
  readonly ended: readonly (Amount & { readonly id: string })[];
};
export type Used = { readonly id: string; readonly use: BudgetUse; readonly amount: Amount; readonly at: Date };
export type Refusal = { readonly budgetId: BudgetId; readonly amount: number; readonly isOnlyReserved: boolean };

export const amountIn = ({ unit }: Pick<CountedBudget, 'unit'>, { costMicros, tokens }: Amount): number =>
  unit === 'money' ? costMicros : tokens;

export const heldOf = (budget: Pick<CountedBudget, 'id' | 'unit'>, reservations: readonly Reservation[]): number =>
  reservations.reduce(
    (sum, reservation) => (reservation.budgetIds.includes(budget.id) ? sum + amountIn(budget, reservation) : sum),
    0,
  );

/**
 * Each budget in the period of now. What is reserved stays reserved: what is being written counts where it ends. A clock that is a
 * little ahead or behind never begins a period twice; one that was more than a day ahead is forgotten, with what was
 * spent kept.
 */
export const inPeriodOf = (sheet: BudgetSheet, now: Date): BudgetSheet => ({
  ...sheet,
  budgets: sheet.budgets.map((budget) => inPeriod(budget, sheet.timeZone, now)),
});

function inPeriod(budget: CountedBudget, timeZone: string, now: Date): CountedBudget {
  const isOver = now >= budget.resetsAt;
  const isFarAhead = now.getTime() < budget.countsFrom.getTime() - dayMs;
  if (!isOver && !isFarAhead) return budget;
  const { start, beganAt, resetsAt } = periodAt(budget.period, timeZone, now);
  if (isFarAhead) return { ...budget, periodStart: start, countsFrom: now, resetsAt };
  // By another time zone than that in which it began it may be the same period still.
  if (start <= budget.periodStart) return { ...budget, resetsAt };
  return { ...budget, periodStart: start, countsFrom: beganAt, resetsAt, spent: 0, told: [] };
}

/** What nobody has renewed is free again. */
export function withoutExpired(
  sheet: BudgetSheet,
  now: Date,
): { sheet: BudgetSheet; released: readonly Reservation[] } {
  const released = sheet.reservations.filter(({ leaseUntil }) => leaseUntil <= now);
  if (released.length === 0) return { sheet, released };
  return {
    sheet: { ...sheet, reservations: sheet.reservations.filter((reservation) => !released.includes(reservation)) },
    released,
  };
}

/**
 * Reserves as much output as fits under every hard limit that counts it, but not less than the least, or nothing. `reservation` is
 * null where no limit counts it. Where only what is reserved is in the way, the limit is not told as reached.
 */
export function reserve(
  sheet: BudgetSheet,
  { id, use, ended, ...output }: Wanted,
  now: Date,
): { sheet: BudgetSheet; reservation: Reservation | null; isNew: boolean; refusal: Refusal | null } {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const known = sheet.reservations.find((reservation) => reservation.id === id);
  if (known) return { sheet: renewed(sheet, new Set([id]), now), reservation: known, isNew: false, refusal: null };
  const reservations = sheet.reservations.map((reservation) => shrunk(reservation, ended));
  const limited = sheet.budgets.filter((budget) => budget.hardLimit !== null && isCountedBy(budget.scope, use));
  const tooLittleFor = (outputTokens: number, beside: readonly Reservation[]) => {
    const amount = output.amountOf(outputTokens);
    return limited.find((budget) => {
      const wanted = amountIn(budget, amount);
      return wanted > 0 && budget.spent + heldOf(budget, beside) + wanted > (budget.hardLimit ?? 0);
    });
  };
  const spent = tooLittleFor(output.leastOutput, []);
  const full = spent ?? tooLittleFor(output.leastOutput, reservations);
  if (full) {
    const amount = amountIn(full, output.amountOf(output.leastOutput));
    const refusal = { budgetId: full.id, amount, isOnlyReserved: !spent };
    return { sheet: spent ? told(sheet, full.id) : sheet, reservation: null, isNew: false, refusal };
  }
  if (limited.length === 0) return { sheet, reservation: null, isNew: false, refusal: null };
  const outputTokens = largest(output, (tokens) => !tooLittleFor(tokens, reservations));
  const budgetIds = limited.map((budget) => budget.id);
  const reservation: Reservation = { id, ...output.amountOf(outputTokens), outputTokens, budgetIds, leaseUntil };
  return { sheet: { ...sheet, reservations: [...reservations, reservation] }, reservation, isNew: true, refusal: null };
}

/** The largest output that fits, where the least does. */
function largest(
  { leastOutput, mostOutput }: Pick<Wanted, 'leastOutput' | 'mostOutput'>,
  fits: (tokens: number) => boolean,
) {
  if (fits(mostOutput)) return mostOutput;
  let [fitting, tooMuch] = [leastOutput, mostOutput];
  while (tooMuch - fitting > 1) {
    const middle = Math.floor((fitting + tooMuch) / 2);
    if (fits(middle)) fitting = middle;
    else tooMuch = middle;
  }
  return fitting;
}

/** An attempt that has ended uses no more than it has used; it is settled when its event comes. */
function shrunk(reservation: Reservation, ended: Wanted['ended']): Reservation {
  const use = ended.find(({ id }) => id === reservation.id);
  if (!use) return reservation;
  const { costMicros, tokens } = use;
  return {
    ...reservation,
    costMicros: Math.min(reservation.costMicros, costMicros),
    tokens: Math.min(reservation.tokens, tokens),
  };
}

export function renewed(sheet: BudgetSheet, ids: ReadonlySet<string>, now: Date): BudgetSheet {
  const leaseUntil = new Date(now.getTime() + leaseMs);
  return {
    ...sheet,
    reservations: sheet.reservations.map((reservation) =>
      ids.has(reservation.id) ? { ...reservation, leaseUntil } : reservation,
    ),
  };
}

/** Replaces what was reserved by what was used. An attempt that ended before a period began, and was not reserved in it, doesn't count in it. */
export function settle(
  sheet: BudgetSheet,
  { id, use, amount, at }: Used,
): { sheet: BudgetSheet; reservation: Reservation | null; excess: Amount | null } {
  const reservation = sheet.reservations.find((one) => one.id === id) ?? null;
  const budgets = sheet.budgets.map((budget) => {
    const isIn = reservation?.budgetIds.includes(budget.id) === true || at >= budget.countsFrom;
    if (!isIn || !isCountedBy(budget.scope, use)) return budget;
    return { ...budget, spent: Math.min(budget.spent + amountIn(budget, amount), Number.MAX_SAFE_INTEGER) };
  });
  const reservations = sheet.reservations.filter((one) => one.id !== id);
  return {
    sheet: withReached({ ...sheet, budgets, reservations }),
    reservation,
    excess: reservation && beyond(reservation, amount),
  };
}

function beyond(reservation: Amount, used: Amount): Amount | null {
  const costMicros = Math.max(0, used.costMicros - reservation.costMicros);
  const tokens = Math.max(0, used.tokens - reservation.tokens);
  return costMicros + tokens > 0 ? { costMicros, tokens } : null;
}

const told = (sheet: BudgetSheet, budgetId: BudgetId): BudgetSheet => ({
  ...sheet,
  budgets: sheet.budgets.map((budget) =>
    budget.id === budgetId && !budget.told.includes('hard') ? { ...budget, told: [...budget.told, 'hard'] } : budget,
  ),
});

/** Marks the limits that are reached as told: whoever writes the sheet tells of those that are new. */
export const withReached = (sheet: BudgetSheet): BudgetSheet => ({
  ...sheet,
  budgets: sheet.budgets.map((budget) => {
    const reached = (['soft', 'hard'] as const).filter(
      (threshold) => !budget.told.includes(threshold) && budget.spent >= (limitOf(budget, threshold) ?? Infinity),
    );
    return reached.length === 0 ? budget : { ...budget, told: [...budget.told, ...reached] };
  }),
});

export const limitOf = (
  { softLimit, hardLimit }: Pick<CountedBudget, 'softLimit' | 'hardLimit'>,
  threshold: 'soft' | 'hard',
): number | null => (threshold === 'soft' ? softLimit : hardLimit);
