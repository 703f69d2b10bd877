import { Injectable } from '@nestjs/common';
import { isCountedBy } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { OrganisationCalls } from '../organisation/index.ts';
import { inPeriodOf, settle, type Amount, type Used } from './budget-sheet.ts';
import type { BudgetSheet } from './budget-sheet.collection.ts';
import { BudgetSheets } from './budget-sheets.repository.ts';

type Within = { readonly scope: OrganisationScope; readonly tx: Transaction };

/** Counts what an attempt has used, and frees what was reserved for it, in the transaction of its ledger entry. */
@Injectable()
export class BudgetSettlement {
  constructor(
    private readonly sheets: BudgetSheets,
    private readonly clock: Clock,
    private readonly organisations: OrganisationCalls,
  ) {}

  /**
   * Returns the sheet, which has the time zone of budgets and money, too. The first entry of an organisation asks org and
   * creates it; null while org doesn't answer.
   */
  async open(scope: OrganisationScope, tx: Transaction): Promise<BudgetSheet | null> {
    return (await this.sheets.read(scope, tx)) ?? this.create(scope, tx);
  }

  private async create(scope: OrganisationScope, tx: Transaction): Promise<BudgetSheet | null> {
    const timeZone = await this.organisations.timeZoneOf(scope.orgId);
    return timeZone === null ? null : this.sheets.create(scope, timeZone, tx);
  }

  /** Returns the time zone of budgets and money, or null if there is no sheet yet. */
  async knownTimeZone(scope: OrganisationScope): Promise<string | null> {
    return (await this.sheets.read(scope))?.timeZone ?? null;
  }

  /** Tells how much more was used than reserved; null where that is nothing. */
  async settle(scope: OrganisationScope, used: Used, tx: Transaction): Promise<Amount | null> {
    const sheet = await this.sheets.read(scope, tx);
    return sheet && this.settleOn(sheet, used, { scope, tx });
  }

  /** The same, on the sheet as it was just read in the transaction. */
  async settleOn(before: BudgetSheet, used: Used, { scope, tx }: Within): Promise<Amount | null> {
    if (!touches(before, used)) return null;
    const now = this.clock.now();
    const { sheet: after, reservation, excess } = settle(inPeriodOf(before, now), used);
    await this.sheets.write(scope, tx, { before, after });
    if (reservation)
      await this.sheets.note(scope, tx, {
        kind: 'settled',
        reservations: [{ ...reservation, ...used.amount }],
        at: now,
      });
    return excess;
  }
}

/** Most answers of most people change nothing here; a refused one has used nothing. */
function touches({ budgets, reservations }: BudgetSheet, { id, use, amount }: Used): boolean {
  if (reservations.some((reservation) => reservation.id === id)) return true;
  return amount.costMicros + amount.tokens > 0 && budgets.some(({ scope }) => isCountedBy(scope, use));
}
