import { Injectable } from '@nestjs/common';
import { keptTestRuns, mostTests, type ChatbotId, type ChatbotTestId, type TestRunId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { runTests, steppingOf } from './test-jobs.ts';
import { testQuota } from './test-quota.ts';
import { testRows, testRunRows, type TestRow, type TestRunRow } from './test.collection.ts';

/** Stores tests of chatbots and their results. */
@Injectable()
export class TestsRepository {
  private readonly tests: Rows<typeof testRows>;
  private readonly runs: Rows<typeof testRunRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.tests = mongo.rows(testRows);
    this.runs = mongo.rows(testRunRows);
    this.quotas = new Quotas(mongo);
  }

  /** Lists a chatbot's tests in order of creation. */
  list(scope: OrganisationScope, chatbotId: ChatbotId, tx?: Transaction): Promise<TestRow[]> {
    return this.tests.within(scope, tx).find({ chatbotId }, { sort: { _id: 1 }, limit: mostTests });
  }

  find(scope: OrganisationScope, id: ChatbotTestId, tx?: Transaction): Promise<TestRow | null> {
    return this.tests.within(scope, tx).findById(id);
  }

  async insert(scope: OrganisationScope, row: TestRow, tx: Transaction): Promise<{ row: TestRow; isNew: boolean }> {
    const stored = await this.tests.within(scope, tx).insertOnce(row);
    if (stored.isNew) await this.quotas.admit(scope, tx, testQuota(row.chatbotId));
    return stored;
  }

  /** Returns null if the given revision isn't the current one. */
  change(
    scope: OrganisationScope,
    seen: Pick<TestRow, '_id' | 'revision'>,
    set: Pick<TestRow, 'question' | 'expects' | 'editedAt' | 'editedBy'>,
    tx: Transaction,
  ): Promise<TestRow | null> {
    const { _id, revision } = seen;
    return this.tests.within(scope, tx).change({ _id, revision }, { $set: set, $inc: { revision: 1 } });
  }

  delete(scope: OrganisationScope, id: ChatbotTestId, tx: Transaction): Promise<boolean> {
    return this.tests.within(scope, tx).delete({ _id: id });
  }

  /** Deletes the tests and runs of a deleted chatbot. */
  async deleteAll(scope: OrganisationScope, chatbotId: ChatbotId, tx: Transaction): Promise<void> {
    await this.tests.within(scope, tx).deleteMany({ chatbotId });
    await this.runs.within(scope, tx).deleteMany({ chatbotId });
  }

  findRun(scope: OrganisationScope, id: TestRunId, tx?: Transaction): Promise<TestRunRow | null> {
    return this.runs.within(scope, tx).findById(id);
  }

  /** Newest first. */
  listRuns(scope: OrganisationScope, chatbotId: ChatbotId): Promise<TestRunRow[]> {
    return this.runs.within(scope).find({ chatbotId }, { sort: { _id: -1 }, limit: keptTestRuns });
  }

  isRunning(scope: OrganisationScope, chatbotId: ChatbotId, tx: Transaction): Promise<boolean> {
    return this.runs.within(scope, tx).exists({ chatbotId, status: 'running' });
  }

  /** Returns the last complete run on the content with this hash. */
  lastRunOf(
    scope: OrganisationScope,
    chatbotId: ChatbotId,
    contentHash: string,
    tx?: Transaction,
  ): Promise<TestRunRow | null> {
    return this.runs.within(scope, tx).findOne({ chatbotId, contentHash, status: 'done' }, { sort: { _id: -1 } });
  }

  async insertRun(
    scope: OrganisationScope,
    row: TestRunRow,
    tx: Transaction,
  ): Promise<{ row: TestRunRow; isNew: boolean }> {
    const inserted = await this.runs.within(scope, tx).insertOnce(row);
    if (inserted.isNew) tx.queue(runTests, steppingOf(row));
    return inserted;
  }

  /** Deletes old runs of a chatbot, except for the newest ones. */
  async pruneRuns(scope: OrganisationScope, chatbotId: ChatbotId, tx: Transaction): Promise<void> {
    const runs = this.runs.within(scope, tx);
    const all = await runs.find({ chatbotId }, { sort: { _id: -1 }, limit: 2 * keptTestRuns, fields: ['status'] });
    const old = all.slice(keptTestRuns).filter(({ status }) => status !== 'running');
    if (old.length > 0) await runs.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
  }

  async wantStop(scope: OrganisationScope, id: TestRunId, tx: Transaction): Promise<void> {
    const row = await this.runs
      .within(scope, tx)
      .change({ _id: id, status: 'running' }, { $set: { isStopWanted: true } });
    if (row) tx.queue(runTests, steppingOf(row));
  }

  /** Stores a step; returns null if another process made one meanwhile. */
  step(
    scope: OrganisationScope,
    seen: TestRunRow,
    set: Pick<TestRunRow, 'results' | 'status' | 'finishedAt'>,
    tx: Transaction,
  ): Promise<TestRunRow | null> {
    const where = { _id: seen._id, revision: seen.revision, status: 'running' } as const;
    return this.runs.within(scope, tx).change(where, { $set: set, $inc: { revision: 1 } });
  }
}
