import { Injectable } from '@nestjs/common';
import type { countFeedback, FeedbackRating } from '@parley/contracts';
import type { ResponseOf } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { keptIdsOf } from '../assistants/chatbots/index.ts';
import { feedbackCountRows, type FeedbackCountRow, type FeedbackRow } from './feedback.collection.ts';
import { dayOf } from './feedback.ts';

/** Days of versions that are added up for one look. */
const mostRows = 4_000;

/** How answers were rated, by chatbot, version and day: kept with each rating, in its transaction. */
@Injectable()
export class FeedbackCounts {
  private readonly rows: Rows<typeof feedbackCountRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(feedbackCountRows);
  }

  /** Counts a rating in the place of the one before; null is none. */
  async move(
    scope: OrganisationScope,
    { chatbot, ratedAt }: Pick<FeedbackRow, 'chatbot' | 'ratedAt'>,
    { from, to }: { from: FeedbackRating | null; to: FeedbackRating | null },
    tx: Transaction,
  ): Promise<void> {
    if (from === to) return;
    const { id: chatbotId, version, name, glyph } = chatbot;
    // Earlier versions counted the default chatbot under its own id, in another row: readers add both up.
    const [kept] = keptIdsOf(scope.orgId, chatbotId);
    const day = dayOf(ratedAt);
    const step = (rating: FeedbackRating): number => Number(to === rating) - Number(from === rating);
    await this.rows
      .within(scope, tx)
      .upsert(
        { _id: `${kept}/${version}/${day}` },
        { $set: { chatbotId, version, day, name, glyph }, $inc: { up: step('up'), down: step('down') } },
      );
  }

  /** Of the days from `since` on. */
  async since(scope: OrganisationScope, since: string): Promise<ResponseOf<typeof countFeedback>> {
    const found = await this.rows
      .within(scope)
      .find({ day: { $gte: since } }, { sort: { day: -1 }, limit: mostRows + 1 });
    const rows = found.slice(0, mostRows);
    const chatbots = [...Map.groupBy(rows, ({ chatbotId }) => chatbotId)].map(([id, all]) => ({
      id,
      // The newest comes first.
      name: all[0]!.name,
      glyph: all[0]!.glyph,
      versions: [...Map.groupBy(all, ({ version }) => version)]
        .map(([version, some]) => ({ version, ...sumOf(some) }))
        .filter(({ up, down }) => up + down > 0)
        .toSorted((one, other) => other.version - one.version),
    }));
    const shown = chatbots.filter(({ versions }) => versions.length > 0);
    return { ...sumOf(rows), chatbots: shown.toSorted(byName), isCut: found.length > mostRows };
  }
}

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);

function sumOf(rows: readonly FeedbackCountRow[]): { up: number; down: number } {
  return rows.reduce((sum, { up, down }) => ({ up: sum.up + up, down: sum.down + down }), { up: 0, down: 0 });
}
