import { Injectable } from '@nestjs/common';
import type { ChatbotContent, ChatbotId, TrialId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { ApartQuestions, type ApartKeeper } from '../generations/index.ts';
import { trialRows, type TrialRow } from './trial.collection.ts';

const purgedAtOnce = 200;
const dayMs = 24 * 3_600_000;

/** Stores trials with the chatbot contents that answer them. */
@Injectable()
export class TrialsRepository implements ApartKeeper<TrialId> {
  /** Trials are kept with their answers for 7 days. */
  readonly keepMs = 7 * dayMs;
  private readonly rows: Rows<typeof trialRows>;

  constructor(mongo: Mongo, apart: ApartQuestions) {
    this.rows = mongo.rows(trialRows);
    apart.add('trial', this);
  }

  insert(scope: OrganisationScope, row: TrialRow, tx: Transaction): Promise<{ row: TrialRow; isNew: boolean }> {
    return this.rows.within(scope, tx).insertOnce(row);
  }

  find(scope: OrganisationScope, id: TrialId): Promise<TrialRow | null> {
    return this.rows.within(scope).findById(id);
  }

  /** Lists a person's trials, newest first, without the questions of test runs. */
  list(
    scope: OrganisationScope,
    { chatbotId, askerId, limit }: { chatbotId: ChatbotId; askerId: UserId; limit: number },
  ): Promise<TrialRow[]> {
    return this.rows.within(scope).find({ chatbotId, askerId, runId: null }, { sort: { _id: -1 }, limit });
  }

  /** Returns the chatbot content that answers the trial. */
  async content(scope: OrganisationScope, id: TrialId): Promise<ChatbotContent> {
    const found = await this.find(scope, id);
    if (!found) throw new Error(`Trial ${id} was removed before it was answered.`);
    return found.content;
  }

  listBefore(scope: PlatformScope, before: Date): Promise<TrialRow[]> {
    return this.rows.within(scope).find({ askedAt: { $lt: before } }, { limit: purgedAtOnce });
  }

  async delete(scope: PlatformScope, id: TrialId, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).delete({ _id: id });
  }
}
