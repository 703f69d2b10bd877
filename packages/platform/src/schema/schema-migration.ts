import { Schema, type Connection, type Model } from 'mongoose';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDuplicateKey, type Mongo } from '../mongo/index.ts';
import { DataMigrations, MigrationTakenOver, progressModel, type DataMigration } from './data-migrations.ts';

type StateRow = { _id: 'schema'; versions: string[]; appliedAt: Date };
type LeaseRow = { _id: 'schema'; holder: string; until: Date };
const stateSchema = new Schema<StateRow>(
  { _id: String, versions: [String], appliedAt: Date },
  { collection: 'schema_state', versionKey: false },
);
const leaseSchema = new Schema<LeaseRow>(
  { _id: String, holder: String, until: Date },
  { collection: 'schema_lease', versionKey: false },
);

const pollMs = 250;
/** Versions that an installation has seen last; older processes than these do not run beside this one. */
const mostVersions = 50;

/**
 * What this code expects of its database: a digest over the collections and indexes of all its models and over its data
 * migrations, so that no number has to be remembered. Changes only add: what an older process expects stays there while
 * it runs.
 */
export function schemaVersionOf(connection: Connection, migrations: readonly DataMigration[]): string {
  const collections = ownModels(connection).map(
    (model) => [model.collection.collectionName, model.schema.indexes()] as const,
  );
  const sorted = collections.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([...sorted, ...migrations.map(({ name }) => name)]))
    .digest('hex')
    .slice(0, 16);
}

/** One service's collections, indexes and data migrations, applied once however many start at the same time. */
export class SchemaMigration {
  private readonly states: Model<StateRow>;
  private readonly leases: Model<LeaseRow>;
  private readonly holder = randomUUID();
  private readonly mongo: Mongo;
  private readonly data: DataMigrations;
  /** What the models of the connection need; they all have to be there by now. */
  readonly version: string;

  constructor(
    mongo: Mongo,
    migrations: readonly DataMigration[],
    private readonly leaseMs = 30_000,
  ) {
    this.mongo = mongo;
    this.version = schemaVersionOf(mongo.connection, migrations);
    this.data = new DataMigrations(mongo, migrations);
    this.states = mongo.model('SchemaState', stateSchema);
    this.leases = mongo.model('SchemaLease', leaseSchema);
  }

  async isApplied(): Promise<boolean> {
    return (await this.states.exists({ _id: 'schema', versions: this.version })) !== null;
  }

  /** Applies what is missing under a lease; whoever comes second waits for the first. True when this call did it. */
  async apply(): Promise<boolean> {
    while (!(await this.isApplied())) {
      if (!(await this.takeLease())) {
        await sleep(pollMs);
        continue;
      }
      const renewal = setInterval(() => void this.renewLease().catch(() => undefined), this.leaseMs / 3);
      try {
        if (await this.isApplied()) return false;
        await this.mongo.applyIndexes();
        await this.data.run();
        await this.remember();
        return true;
      } catch (error) {
        if (!(error instanceof MigrationTakenOver)) throw error;
      } finally {
        clearInterval(renewal);
        await this.leases.deleteOne({ _id: 'schema', holder: this.holder });
      }
    }
    return false;
  }

  /** Resolves when somebody has applied it; a store that is away meanwhile only makes it wait longer. */
  async untilApplied(): Promise<void> {
    while (!(await this.isApplied().catch(() => false))) await sleep(1_000);
  }

  private async takeLease(): Promise<boolean> {
    const now = new Date();
    const lease = { holder: this.holder, until: new Date(now.getTime() + this.leaseMs) };
    try {
      const taken = await this.leases.updateOne(
        { _id: 'schema', until: { $lte: now } },
        { $set: lease },
        { upsert: true },
      );
      return taken.modifiedCount + taken.upsertedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private async renewLease(): Promise<void> {
    await this.leases.updateOne(
      { _id: 'schema', holder: this.holder },
      { $set: { until: new Date(Date.now() + this.leaseMs) } },
    );
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
