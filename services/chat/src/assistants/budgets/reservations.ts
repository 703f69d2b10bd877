import { Injectable } from '@nestjs/common';
import { renewReservations, reserveBudget, type BudgetSpent, type GenerationFailure } from '@parley/contracts';
import { Problem, type BodyOf, type ResponseOf } from '@parley/protocol';
import { Platform } from '@parley/platform/service';
import { askUntil, type Time, type Waiting } from './ask-until.ts';

/** So long an answer waits for billing before it is refused. */
export const waitsMs = 60_000;
const renewing = { deadlineMs: 2_000, failMode: { otherwise: undefined } } as const;

export type Reserved = Pick<BodyOf<typeof reserveBudget>, 'orgId' | 'generationId' | 'attempt'>;

/** Why an answer may not begin. */
export class NoBudget extends Error {
  readonly reason: Extract<GenerationFailure, 'budget-spent' | 'budget-unavailable'>;
  /** Names the budget, what would have been reserved, and `held` where other answers reserve what is left, with blanks between. */
  readonly detail: string | null;

  constructor(spent: BudgetSpent | null) {
    super(spent ? 'the budget is spent' : 'billing does not answer');
    this.reason = spent ? 'budget-spent' : 'budget-unavailable';
    this.detail = spent && `${spent.budgetId} ${spent.amount}${spent.isOnlyReserved ? ' held' : ''}`;
  }
}

/** Asks billing to reserve what answers can cost. */
@Injectable()
export class Reservations {
  constructor(private readonly platform: Platform) {}

  /**
   * Returns how many tokens of output are reserved. Rejects with `NoBudget` when too little is left, or when billing has not
   * answered for so long.
   */
  async reserve(body: BodyOf<typeof reserveBudget>, waiting: Partial<Waiting> = {}, time?: Time): Promise<number> {
    const held = await askUntil((deadlineMs) => this.ask(body, deadlineMs), { withinMs: waitsMs, ...waiting }, time);
    if (!held) throw new NoBudget(null);
    return held.outputTokens ?? body.outputTokens;
  }

  private async ask(
    body: BodyOf<typeof reserveBudget>,
    deadlineMs: number,
  ): Promise<ResponseOf<typeof reserveBudget> | undefined> {
    try {
      return await this.platform.peers.call(reserveBudget, { body }, { deadlineMs, failMode: 'refuse' });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'billing.budget-spent') throw new NoBudget(error.extras.current as BudgetSpent);
      if (error.code !== 'platform.unavailable') throw error;
      return undefined;
    }
  }

  /** One call for all that a worker writes. While billing is away nothing is freed there. */
  async renew(reservations: readonly Reserved[]): Promise<void> {
    if (reservations.length === 0) return;
    await this.platform.peers.call(renewReservations, { body: { reservations: [...reservations] } }, renewing);
  }
}
