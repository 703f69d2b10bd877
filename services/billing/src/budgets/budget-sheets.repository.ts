import { Injectable } from '@nestjs/common';
import { budgetThresholdCrossed } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { Problem, type DataOf } from '@parley/protocol';
import { RatesRepository } from '../rates/index.ts';
import { budgetQuota } from './budget-quota.ts';
import { limitOf } from './budget-sheet.ts';
import {
  budgetSheetRows,
  reservationRows,
  type BudgetSheet,
  type Reservation,
  type ReservationRow,
} from './budget-sheet.collection.ts';

type Crossed = Omit<DataOf<typeof budgetThresholdCrossed>, 'currency'>;
const telling = jobScope('limits of money are told in the currency of all prices');

/** The one document of an organisation in which its budgets are counted. */
@Injectable()
export class BudgetSheets {
  private readonly sheets: Rows<typeof budgetSheetRows>;
  private readonly reservations: Rows<typeof reservationRows>;
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly rates: RatesRepository,
  ) {
    this.sheets = mongo.rows(budgetSheetRows);
    this.reservations = mongo.rows(reservationRows);
    this.quotas = new Quotas(mongo);
  }

  /** Null where there never was a budget, nor an entry since this version. */
  read(scope: OrganisationScope, tx?: Transaction): Promise<BudgetSheet | null> {
    return this.sheets.within(scope, tx).findById(scope.orgId);
  }

  async create(scope: OrganisationScope, timeZone: string, tx: Transaction): Promise<BudgetSheet> {
    const { orgId } = scope;
    const empty: BudgetSheet = { _id: orgId, orgId, timeZone, revision: 0, budgets: [], reservations: [] };
    return (await this.sheets.within(scope, tx).insertOnce(empty)).row;
  }

  /** Of two who change it at once the second is run again by its unit of work. Tells of limits that are reached now; `billing.budgets-full`. */
  async write(
    scope: OrganisationScope,
    tx: Transaction,
    { before, after }: { readonly before: BudgetSheet; readonly after: BudgetSheet },
  ): Promise<void> {
    const { timeZone, budgets, reservations } = after;
    const isKept = await this.sheets
      .within(scope, tx)
      .update(
        { _id: scope.orgId, revision: before.revision },
        { $set: { timeZone, budgets, reservations }, $inc: { revision: 1 } },
      );
    if (!isKept) throw new Problem('platform.conflict');
    if (budgets.length > before.budgets.length) await this.quotas.admit(scope, tx, budgetQuota);
    await this.tell(tx, reachedSince(before, after));
  }

  private async tell(tx: Transaction, reached: readonly Crossed[]): Promise<void> {
    const isMoney = reached.some(({ unit }) => unit === 'money');
    const currency = isMoney ? await this.rates.currency(telling, tx) : null;
    for (const one of reached)
      tx.record(budgetThresholdCrossed, { ...one, currency: one.unit === 'money' ? currency : null });
  }

  /** Writes down what happened to what was reserved. */
  note(
    scope: OrganisationScope,
    tx: Transaction,
    { kind, reservations, at }: Pick<ReservationRow, 'kind' | 'at'> & { readonly reservations: readonly Reservation[] },
  ): Promise<void> {
    const rows = reservations.map(({ id: reservationId, costMicros, tokens, budgetIds }): ReservationRow => ({
      _id: newId('reservation'),
      orgId: scope.orgId,
      reservationId,
      kind,
      costMicros,
      tokens,
      budgetIds,
      at,
    }));
    return this.reservations.within(scope, tx).insertMany(rows);
  }
}

/** Limits that are told in one version of the sheet, and were not in this period in the one before. */
function reachedSince(before: BudgetSheet, { orgId, budgets }: BudgetSheet): Crossed[] {
  return budgets.flatMap((budget) => {
    const { id: budgetId, scope, unit, spent, periodStart } = budget;
    const known = before.budgets.find(({ id }) => id === budgetId);
    const knownTold = known?.periodStart === periodStart ? known.told : [];
    const resetsAt = budget.resetsAt.toISOString();
    return budget.told
      .filter((threshold) => !knownTold.includes(threshold))
      .map((threshold) => {
        const limit = limitOf(budget, threshold) ?? 0;
        return { orgId, budgetId, scope, threshold, unit, spent, limit, periodStart, resetsAt };
      });
  });
}
