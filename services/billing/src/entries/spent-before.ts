import { Injectable } from '@nestjs/common';
import type { BudgetScope } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { ledgerEntryRows } from './ledger-entry.collection.ts';
import { spendDayRows } from './spend-day.collection.ts';

const dayMs = 86_400_000;

export type Counted = {
  readonly scope: BudgetScope;
  /** Of a group: those who are in it now. */
  readonly memberIds: readonly UserId[];
  readonly from: Date;
  readonly now: Date;
};

/** Adds up what was used before: what a budget begins with, and what a token has cost. */
@Injectable()
export class SpentBefore {
  private readonly entries: Rows<typeof ledgerEntryRows>;
  private readonly days: Rows<typeof spendDayRows>;

  constructor(mongo: Mongo) {
    this.entries = mongo.rows(ledgerEntryRows);
    this.days = mongo.rows(spendDayRows);
  }

  /**
   * Returns the sums of all entries since a moment. Entries that are written beside this transaction conflict with it
   * at the totals of their day, and are written after it or counted by it.
   */
  async sum(
    scope: OrganisationScope,
    { from, now, ...counted }: Counted,
    tx: Transaction,
  ): Promise<{ readonly costMicros: number; readonly tokens: number }> {
    const yesterday = new Date(now.getTime() - dayMs).toISOString().slice(0, 10);
    await this.days.within(scope, tx).updateMany({ day: { $gte: yesterday } }, { $set: { countedAt: now } });
    const { costMicros, inputTokens, outputTokens } = await this.entries
      .within(scope, tx)
      .sum({ ...usedBy(counted), at: { $gte: from } }, ['costMicros', 'inputTokens', 'outputTokens']);
    return { costMicros, tokens: inputTokens + outputTokens };
  }

  /** Returns what a token of the organisation has cost in the last 31 days, in micro-units; null where none has a price. */
  async tokenMicros(scope: OrganisationScope, now: Date): Promise<number | null> {
    const since = new Date(now.getTime() - 31 * dayMs).toISOString().slice(0, 10);
    const { costMicros, inputTokens, outputTokens } = await this.days
      .within(scope)
      .sum({ day: { $gte: since }, costMicros: { $gt: 0 } }, ['costMicros', 'inputTokens', 'outputTokens']);
    return costMicros > 0 ? costMicros / (inputTokens + outputTokens) : null;
  }
}

function usedBy({ scope, memberIds }: Pick<Counted, 'scope' | 'memberIds'>) {
  switch (scope.kind) {
    case 'organisation':
      return {};
    case 'group':
      return { userId: { $in: [...memberIds] } };
    case 'person':
      return { userId: scope.id };
    case 'model':
      return { model: scope.id };
    case 'chatbot':
      return { chatbotId: scope.id };
  }
}
