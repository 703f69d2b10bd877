import { Schema, type Connection, type Model } from 'mongoose';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDuplicateKey, type Mongo } from '../mongo/index.ts';
import {
  DataMigrations,
  MigrationTakenOver,
  progressModel,
  type DataMigration,
  type ReportProgress,
} from './data-migrations.ts';
import { storageGeneration } from './storage-generation.ts';

type StateRow = { _id: 'schema'; versions: string[]; generation?: number; appliedAt: Date };
/** Names leases. `schema` is the first storage generation's (up to 0.3.0), whose versions don't know `storage`. */
const [ownLease, firstLease] = ['storage', 'schema'] as const;
type LeaseRow = { _id: typeof ownLease | typeof firstLease; holder: string; until: Date };
const stateSchema = new Schema<StateRow>(
  { _id: String, versions: [String], generation: Number, appliedAt: Date },
  { collection: 'schema_state', versionKey: false },
);
const leaseSchema = new Schema<LeaseRow>(
  { _id: String, holder: String, until: Date },
  { collection: 'schema_lease', versionKey: false },
);

const pollMs = 250;
/**
 * Limits the applied schema versions that are remembered, the newest ones; processes of older versions can't run beside
 * this one.
 */
const mostVersions = 50;
/** Holds the lease of the first generation for good, from the first migration of a later generation on. */
const later = { holder: 'a later storage generation', until: new Date('9999-12-31T00:00:00Z') };

/**
 * Returns what this code expects of its database: a digest of the storage generation, the collections and indexes of
 * all its models, and its data migrations. Within a generation changes only add: everything that an older process
 * expects stays while it runs.
 */
export function schemaVersionOf(connection: Connection, migrations: readonly DataMigration[]): string {
  const collections = ownModels(connection).map(
    (model) => [model.collection.collectionName, model.schema.indexes()] as const,
  );
  const sorted = collections.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([storageGeneration, ...sorted, ...migrations.map(({ name }) => name)]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Applies one service's collections, indexes and data migrations once, however many processes start at the same time.
 */
export class SchemaMigration {
  private readonly states: Model<StateRow>;
  private readonly leases: Model<LeaseRow>;
  private readonly holder = randomUUID();
  private readonly mongo: Mongo;
  private readonly data: DataMigrations;
  /** The version that the connection's models and migrations need; all models have to be registered by now. */
  readonly version: string;

  private readonly leaseMs: number;

  constructor(
    mongo: Mongo,
    migrations: readonly DataMigration[],
    { leaseMs = 30_000, report }: { readonly leaseMs?: number; readonly report?: ReportProgress | undefined } = {},
  ) {
    this.mongo = mongo;
    this.leaseMs = leaseMs;
    this.version = schemaVersionOf(mongo.connection, migrations);
    this.data = new DataMigrations(mongo, migrations, { report });
    this.states = mongo.model('SchemaState', stateSchema);
    this.leases = mongo.model('SchemaLease', leaseSchema);
  }

  async isApplied(): Promise<boolean> {
    return (await this.states.exists({ _id: 'schema', versions: this.version })) !== null;
  }

  /**
   * Applies missing collections, indexes and migrations under a lease; a second call waits for it. Returns true if this
   * call applied them. Before its first change it shuts out versions of the first storage generation for good and
   * forgets applied versions of earlier generations. Throws if the database belongs to a later generation.
   */
  async apply(): Promise<boolean> {
    while (!(await this.isApplied())) {
      if (!(await this.takeLease(ownLease, this.lease())) || !(await this.shutOutFirst())) {
        await sleep(pollMs);
        continue;
      }
      const renewal = setInterval(() => void this.renewLease().catch(() => undefined), this.leaseMs / 3);
      try {
        if (await this.isApplied()) return false;
        await this.enterGeneration();
        await this.mongo.applyIndexes();
        await this.data.run();
        await this.remember();
        return true;
      } catch (error) {
        if (!(error instanceof MigrationTakenOver)) throw error;
      } finally {
        clearInterval(renewal);
        await this.leases.deleteOne({ _id: ownLease, holder: this.holder });
      }
    }
    return false;
  }

  /** Resolves when some process has applied the version; waits longer if the store is unavailable meanwhile. */
  async untilApplied(): Promise<void> {
    while (!(await this.isApplied().catch(() => false))) await sleep(1_000);
  }

  /**
   * Forgets the applied schema versions of earlier storage generations, so that their processes don't start and their
   * migrations begin again.
   */
  private async enterGeneration(): Promise<void> {
    const { generation = 1 } = (await this.states.findById('schema').lean()) ?? {};
    if (generation > storageGeneration)
      throw new Error(
        `The database ${this.mongo.connection.name} was changed by a newer Parley (storage generation ${generation}, this one knows ${storageGeneration}): update Parley, or restore the backup.`,
      );
    if (generation === storageGeneration) return;
    const entered = { versions: [], generation: storageGeneration, appliedAt: new Date() };
    await this.states.updateOne({ _id: 'schema' }, { $set: entered }, { upsert: true });
  }

  private lease(): Omit<LeaseRow, '_id'> {
    return { holder: this.holder, until: new Date(Date.now() + this.leaseMs) };
  }

  /** Shuts out processes of the first storage generation. Returns false while one of their migrations is under way. */
  private async shutOutFirst(): Promise<boolean> {
    const { holder } = later;
    return (
      (await this.leases.exists({ _id: firstLease, holder })) !== null || (await this.takeLease(firstLease, later))
    );
  }

  /** Takes a lease. Succeeds also if this process holds it already. */
  private async takeLease(_id: LeaseRow['_id'], lease: Omit<LeaseRow, '_id'>): Promise<boolean> {
    const isFree = [{ until: { $lte: new Date() } }, { holder: lease.holder }];
    try {
      const taken = await this.leases.updateOne({ _id, $or: isFree }, { $set: lease }, { upsert: true });
      return taken.matchedCount + taken.upsertedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private async renewLease(): Promise<void> {
    await this.leases.updateOne({ _id: ownLease, holder: this.holder }, { $set: this.lease() });
  }

  private async remember(): Promise<void> {
    const change = {
      $push: { versions: { $each: [this.version], $slice: -mostVersions } },
      $set: { appliedAt: new Date() },
    };
    await this.states.updateOne({ _id: 'schema' }, change, { upsert: true });
  }
}

const own = new Set(['SchemaState', 'SchemaLease', progressModel]);
const ownModels = (connection: Connection): Model<unknown>[] =>
  Object.values(connection.models).filter((model) => !own.has(model.modelName));
