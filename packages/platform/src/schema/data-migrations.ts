import { Schema, type Model } from 'mongoose';
import { isDuplicateKey, type Mongo } from '../mongo/index.ts';
import type { Failpoint } from '../service/failpoint.ts';

/**
 * A change of what is stored already, made once in each database after its indexes. Older processes serve meanwhile
 * and have to be able to read what it leaves, unless the release is one for which all of them are stopped.
 */
export type DataMigration = {
  /** Never changes: by it the database knows what it has. */
  readonly name: string;
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

/** Brings one service's data to what the code expects, in the order of the list. */
export class DataMigrations {
  private readonly progress: Model<ProgressRow>;
  private readonly mongo: Mongo;
  private readonly migrations: readonly DataMigration[];
  private readonly failpoint: Failpoint;

  constructor(mongo: Mongo, migrations: readonly DataMigration[], failpoint: Failpoint = async () => {}) {
    this.mongo = mongo;
    this.migrations = migrations;
    this.failpoint = failpoint;
    this.progress = mongo.model(progressModel, progressSchema);
  }

  /**
   * Does what is left. Progress is kept after each batch: a process that is killed goes on where it was. Rejects with
   * `MigrationTakenOver` when another process has gone on meanwhile.
   */
  async run(): Promise<void> {
    for (const migration of this.migrations) await this.finish(migration);
  }

  private async finish({ name, batch }: DataMigration): Promise<void> {
    const row = await this.begin(name);
    let { cursor, isDone } = row;
    if (!isDone) await this.failpoint('migration-begun');
    while (!isDone) {
      const next = await batch(this.mongo, cursor);
      await this.failpoint('migration-batch-written');
      isDone = next === null;
      const kept = await this.progress.updateOne(
        { _id: name, cursor, isDone: false },
        { $set: { cursor: next ?? cursor, isDone, changedAt: new Date() } },
      );
      if (kept.matchedCount === 0) throw new MigrationTakenOver(name);
      await this.failpoint('migration-batch-kept');
      cursor = next;
    }
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

/** Whether a data migration has been made in this database, to its end. */
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
