import mongoose, { type ClientSession, type Connection, type Model, type Schema } from 'mongoose';

/** An open transaction: pass it to every write that belongs together. */
export type Transaction = ClientSession;

/** One service's database. */
export class Mongo {
  readonly connection: Connection;

  private constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Majority, journaled writes. Collections and indexes are made by `applyIndexes` only. */
  static async connect(uri: string): Promise<Mongo> {
    const connection = mongoose.createConnection(uri, {
      autoIndex: false,
      autoCreate: false,
      serverSelectionTimeoutMS: 10_000,
      writeConcern: { w: 'majority', journal: true },
    });
    await connection.asPromise();
    return new Mongo(connection);
  }

  /** The model of a collection in this database; asking again returns the same one. */
  model<Row>(name: string, schema: Schema<Row>): Model<Row> {
    return (this.connection.models[name] as unknown as Model<Row> | undefined) ?? (this.connection.model(name, schema) as unknown as Model<Row>);
  }

  /**
   * Runs `work` in one transaction and commits; on a write conflict the whole of `work` runs again, so it must have no effect
   * outside the transaction. No parallel operations inside.
   */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.connection.withSession((session) => session.withTransaction(() => work(session)));
  }

  /** Creates collections and indexes of every model of this connection; part of the schema migration. */
  async applyIndexes(): Promise<void> {
    for (const model of Object.values(this.connection.models)) {
      await model.createCollection();
      await model.createIndexes();
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}
