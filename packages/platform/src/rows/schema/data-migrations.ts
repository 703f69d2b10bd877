import { Schema, type Model } from 'mongoose';
import { isDuplicateKey, type Mongo } from '../mongo/index.ts';
import type { Failpoint } from '../../base/failpoint.ts';

/**
 * A change of what is stored already, made once in each database after its indexes. Older processes serve meanwhile
 * and have to be able to read what it leaves, unless the release is one for which all of them are stopped.
 */
export type DataMigration = {
  /** Never changes: by it the database knows what it has. */
  readonly name: string;
  /** Tells operators what it does while it runs, such as "placing messages in trees". */
  readonly title: string;
  /** The collection whose ids the cursor follows, for the progress; absent where it changes little. */
  readonly walks?: string;
  /**
   * Changes some rows from the cursor on, the first ones without a cursor, and returns where to go on; null when it was
   * the end. A batch may run twice, so doing it again must change nothing.
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
  /** Takes the lines for operators; they are dropped unless it is given. */
  readonly report?: ReportProgress | undefined;
  /** The least time between two lines. */
  readonly reportEveryMs?: number;
};

/** Brings one service's data to what the code expects, in the order of the list. */
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
   * Does what is left. Progress is kept after each batch: a process that is killed goes on where it was. Rejects with
   * `MigrationTakenOver` when another process has gone on meanwhile.
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

  /** Says what it does where there is something to walk through, then how far it is. */
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

/** True once a data migration has run to its end in this database. */
export async function isMigrated(mongo: Mongo, name: string): Promise<boolean> {
  const rows = mongo.connection.collection<ProgressRow>('data_migrations');
  return (await rows.findOne({ _id: name, isDone: true })) !== null;
}

/** This process stood still for longer than its lease, and another one goes on. */
export class MigrationTakenOver extends Error {
  constructor(name: string) {
    super(`The migration ${name} was taken over by another process.`);
    this.name = 'MigrationTakenOver';
  }
}
