import { Schema, type Model } from 'mongoose';
import { isDuplicateKey, type Mongo } from '../mongo/index.ts';
import type { Failpoint } from '../../base/failpoint.ts';

/**
 * A change of stored data, made once in each database after its indexes. Older processes serve meanwhile and have to be
 * able to read the result, unless all are stopped for the release.
 */
export type DataMigration = {
  /** The name, which never changes: by it the database knows which migrations are done. */
  readonly name: string;
  /** Describes the migration to operators, such as "placing messages in trees". */
  readonly title: string;
  /** The collection whose ids the cursor follows, for the progress; missing if the migration changes little. */
  readonly walks?: string;
  /**
   * Changes some rows from the cursor on, or without it the first rows, and returns the next cursor; null at the end. A
   * batch can run twice, so repeating it must change nothing.
   */
  batch(mongo: Mongo, cursor: string | null): Promise<string | null>;
};

type ProgressRow = { _id: string; cursor: string | null; isDone: boolean; changedAt: Date };
const progressSchema = new Schema<ProgressRow>(
  { _id: String, cursor: String, isDone: Boolean, changedAt: Date },
  { collection: 'data_migrations', versionKey: false },
);
export const progressModel = 'DataMigrationProgress';

/** Takes a line for operators: what a migration does and how far it is. */
export type ReportProgress = (line: string) => void;
type Watching = {
  readonly failpoint?: Failpoint;
  /** Takes the lines for operators, which are dropped by default. */
  readonly report?: ReportProgress | undefined;
  /** The shortest time between two lines for operators. */
  readonly reportEveryMs?: number;
};

/** Brings the data of one service into the form that the code expects, in the order of the list. */
export class DataMigrations {
  private readonly progress: Model<ProgressRow>;
  private readonly mongo: Mongo;
  private readonly migrations: readonly DataMigration[];
  private readonly watching: Required<Watching>;

  constructor(
    mongo: Mongo,
    migrations: readonly DataMigration[],
    { failpoint = async () => {}, report = () => {}, reportEveryMs = 2_000 }: Watching = {},
  ) {
    this.mongo = mongo;
    this.migrations = migrations;
    this.watching = { failpoint, report, reportEveryMs };
    this.progress = mongo.model(progressModel, progressSchema);
  }

  /**
   * Runs the migrations that are left. Progress is stored after each batch, so a killed process continues where it was.
   * Rejects with `MigrationTakenOver` if another process continued meanwhile.
   */
  async run(): Promise<void> {
    for (const migration of this.migrations) await this.finish(migration);
  }

  private async finish(migration: DataMigration): Promise<void> {
    const { name, batch } = migration;
    const { failpoint } = this.watching;
    const row = await this.begin(name);
    let { cursor, isDone } = row;
    if (isDone) return;
    const reportProgress = await this.reporterOf(migration, cursor);
    await failpoint('migration-begun');
    while (!isDone) {
      const next = await batch(this.mongo, cursor);
      await failpoint('migration-batch-written');
      isDone = next === null;
      const kept = await this.progress.updateOne(
        { _id: name, cursor, isDone: false },
        { $set: { cursor: next ?? cursor, isDone, changedAt: new Date() } },
      );
      if (kept.matchedCount === 0) throw new MigrationTakenOver(name);
      await failpoint('migration-batch-kept');
      cursor = next;
      if (cursor !== null) await reportProgress(cursor);
    }
  }

  /** Returns the function that reports progress. Reports the title first if there is something to walk through. */
  private async reporterOf(
    { title, walks }: DataMigration,
    begunAt: string | null,
  ): Promise<(cursor: string) => Promise<void>> {
    const { report, reportEveryMs } = this.watching;
    const rows = walks === undefined ? null : this.mongo.connection.collection<{ _id: string }>(walks);
    const total = (await rows?.countDocuments()) ?? 0;
    const through = async (cursor: string | null) =>
      rows && cursor !== null ? await rows.countDocuments({ _id: { $lte: cursor } }) : 0;
    const service = this.mongo.connection.name.replace(/^parley_/, '');
    const say = async (cursor: string | null) => {
      const progress = total > 0 ? `, ${await through(cursor)} of ${total}` : '';
      report(`Updating stored data of ${service}: ${title}${progress}`);
    };
    let saidAt = performance.now();
    if (total > 0) await say(begunAt);
    return async (cursor) => {
      if (performance.now() - saidAt < reportEveryMs) return;
      saidAt = performance.now();
      await say(cursor);
    };
  }

  private async begin(name: string): Promise<ProgressRow> {
    const fresh = { _id: name, cursor: null, isDone: false, changedAt: new Date() };
    try {
      await this.progress.insertMany([fresh]);
      return fresh;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const known = await this.progress.findById(name).lean();
      return known ?? fresh;
    }
  }
}

/** Returns true once a data migration has finished in this database. */
export async function isMigrated(mongo: Mongo, name: string): Promise<boolean> {
  const rows = mongo.connection.collection<ProgressRow>('data_migrations');
  return (await rows.findOne({ _id: name, isDone: true })) !== null;
}

/** This process stood still for longer than its lease, and another one continues. */
export class MigrationTakenOver extends Error {
  constructor(name: string) {
    super(`The migration ${name} was taken over by another process.`);
    this.name = 'MigrationTakenOver';
  }
}
