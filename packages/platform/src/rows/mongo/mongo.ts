import './dead-sockets.ts';
import './quiet-pools.ts';
import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import type { Collection } from './collection.ts';
import { DriverRowStore, DriverSession } from './driver-row-store.ts';
import { LinkedRowStore } from './linked-row-store.ts';
import { LinkedStore, type StoreLink } from './linked-store.ts';
import { Memory } from './memory.ts';
import type { RowStore, StoredRow } from './row-store.ts';
import { Rows } from './rows.ts';
import type { StoreSession } from './store-session.ts';

/** How soon a process notices that a store which it does not ask at the moment is away, or back. */
const heartbeatMs = 2_000;
/** The embedded store is a thread of this process: it does not go away, it can only be silent. */
const heartbeatInProcessMs = 6_000;
/** A store that takes connections and says nothing counts as away after so long and the time between two questions. */
const silenceMs = 5_000;
/** Background work waits for so long: a replica set that elects a new primary needs some seconds. */
const selectionMs = 10_000;
/** Breaks that are over sooner are worth waiting for. */
const passingMs = 1_000;
/** Whoever waits is told after so long without a word of the primary, which is asked every two seconds. */
const mostSilentMs = 4_000;
/** Counts from the first heartbeat that the embedded store doesn't answer: at most 15 s after its last reply. */
const mostSilentInProcessMs = 9_000;
const lookMs = 250;

/** The connection string of the embedded store. */
const behindSocket = /^mongodb:\/\/[^/]+\.sock(?:[/?]|$)/;
type Index = mongoose.mongo.IndexDescription;
const missing: readonly string[] = ['IndexNotFound', 'NamespaceNotFound'];

export type ConnectOptions = {
  /** True where no other process writes to the database, and no other `Mongo` of this one. */
  readonly isAlone?: boolean;
  /** The embedded store's own way in, for rows and transactions. Without it they go by the driver, as all else does. */
  readonly link?: StoreLink | undefined;
};

/** One service's database. */
export class Mongo {
  readonly connection: Connection;
  private awaySince: number | null = null;
  private reachedAt = performance.now();
  /** Looks, not time: a process that stood still itself has heard nobody meanwhile. */
  private silentLooks = 0;
  private readonly waiting = new Set<() => void>();
  private looking: NodeJS.Timeout | undefined;

  private readonly mostSilentMs: number;

  /** By collection; null where other processes write, too. */
  private readonly memories: Map<string, Memory> | null;

  private readonly linked: LinkedStore | null;

  private constructor(connection: Connection, { isAlone = false, link }: ConnectOptions, isInProcess: boolean) {
    this.connection = connection;
    this.linked = link ? new LinkedStore(link, connection.name) : null;
    this.mostSilentMs = isInProcess ? mostSilentInProcessMs : mostSilentMs;
    this.memories = isAlone ? new Map() : null;
    const startLooking = () => (this.looking ??= setInterval(() => this.look(), lookMs).unref());
    if (!isInProcess) startLooking();
    connection.getClient().on('serverHeartbeatStarted', startLooking);
    connection.getClient().on('serverHeartbeatSucceeded', ({ reply }) => {
      if (reply['isWritablePrimary'] !== true) return;
      this.silentLooks = 0;
      // No reply of the embedded store is due until its next heartbeat starts.
      if (isInProcess) this.stopLooking();
    });
    connection.on('disconnected', () => (this.awaySince ??= performance.now()));
    connection.on('connected', () => {
      this.awaySince = null;
      this.reachedAt = performance.now();
    });
  }

  /**
   * Connects to the database. Majority, journaled writes. Collections and indexes are made by `applyIndexes` only. A process that is alone, with
   * one `Mongo` for the database, has in memory what its services recall.
   */
  static async connect(uri: string, options: ConnectOptions = {}): Promise<Mongo> {
    const isInProcess = behindSocket.test(uri);
    const connection = mongoose.createConnection(uri, {
      autoIndex: false,
      autoCreate: false,
      serverSelectionTimeoutMS: selectionMs,
      heartbeatFrequencyMS: isInProcess ? heartbeatInProcessMs : heartbeatMs,
      // A heartbeat that times out clears the pool, and all that is under way fails: for the embedded store it waits.
      connectTimeoutMS: isInProcess ? 0 : silenceMs,
      writeConcern: { w: 'majority', journal: true },
    });
    await connection.asPromise();
    return new Mongo(connection, options, isInProcess);
  }

  /** The server could not be reached for a while: whoever has somebody waiting says so at once. */
  get isAway(): boolean {
    const isSilent = this.silentLooks * lookMs >= this.mostSilentMs;
    return isSilent || (this.awaySince !== null && performance.now() - this.awaySince > passingMs);
  }

  /**
   * Tells once when the server is away, five seconds after its last word at most (the embedded store: 15), so that nobody
   * waits for what the driver tries on; returns how to be told no more.
   */
  whenAway(tell: () => void): () => void {
    this.waiting.add(tell);
    return () => void this.waiting.delete(tell);
  }

  /**
   * For how many milliseconds the server has been within reach without a break; 0 while it is not. What others have not
   * written since may still come.
   */
  get reachedForMs(): number {
    return this.awaySince === null ? performance.now() - this.reachedAt : 0;
  }

  /** The model of a collection in this database; asking again returns the same one. */
  model<Row>(name: string, schema: Schema<Row>): Model<Row> {
    return (
      (this.connection.models[name] as unknown as Model<Row> | undefined) ??
      (this.connection.model(name, schema) as unknown as Model<Row>)
    );
  }

  /** The collection of this database; the migration makes it with its indexes. Asking again changes nothing. */
  rows<Definition extends Collection>(definition: Definition): Rows<Definition> {
    const { name, schema } = definition;
    if (!this.connection.models[name]) this.connection.model(name, schema);
    return new Rows(definition, this.storeOf(name), this.memoryOf(name));
  }

  private storeOf(name: string): RowStore {
    return this.linked
      ? new LinkedRowStore(this.linked, name)
      : new DriverRowStore(this.connection.db!.collection(name));
  }

  /**
   * Returns the collection of another database of the same store, for transactions that span both: a session belongs to its
   * connection. The other database's migration makes the collection.
   */
  rowsOf<Definition extends Collection>(other: Mongo, definition: Definition): Rows<Definition> {
    if (this.linked) return other.rows(definition);
    const { name } = definition;
    const rows = this.connection.getClient().db(other.connection.name).collection<StoredRow>(name);
    return new Rows(definition, new DriverRowStore(rows), other.memoryOf(name));
  }

  /**
   * A bare transaction, for the platform's own collections: services use `Work`, which records events too. On a write
   * conflict the whole of `work` runs again, so it must have no effect outside the transaction. No parallel operations
   * inside.
   */
  async transaction<Result>(work: (session: StoreSession) => Promise<Result>): Promise<Result> {
    if (this.linked) return this.linked.transaction(work);
    return this.connection.withSession((client) => {
      const session = new DriverSession(client);
      return client.withTransaction(() => work(session));
    });
  }

  /**
   * Creates collections and indexes of every model of this connection; part of the schema migration. Each start does it:
   * all indexes of a collection are one command, which creates the collection, too.
   */
  async applyIndexes(): Promise<void> {
    const found = await this.connection.db!.listCollections({}, { nameOnly: true }).toArray();
    const known = new Set(found.map(({ name }) => name));
    for (const model of Object.values(this.connection.models)) {
      const name = model.collection.collectionName;
      const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }) as Index);
      if (indexes.length > 0) await this.connection.db!.collection(name).createIndexes(indexes);
      else if (!known.has(name)) await model.createCollection();
    }
  }

  /** For a data migration: an index that no definition names any more. One that is gone already is as good. */
  async dropIndex({ name }: Pick<Collection, 'name'>, index: string): Promise<void> {
    try {
      await this.connection.collection(name).dropIndex(index);
    } catch (error) {
      if (!(error instanceof mongoose.mongo.MongoServerError && missing.includes(error.codeName ?? ''))) throw error;
    }
  }

  /** What is remembered of a collection, by everybody who asks for it here; null where other processes write, too. */
  memoryOf(collection: string): Memory | null {
    if (!this.memories) return null;
    const memory = this.memories.get(collection) ?? new Memory();
    this.memories.set(collection, memory);
    return memory;
  }

  async close(): Promise<void> {
    this.stopLooking();
    await this.connection.close();
    this.stopLooking();
  }

  private stopLooking(): void {
    clearInterval(this.looking);
    this.looking = undefined;
  }

  private look(): void {
    this.silentLooks += 1;
    if (!this.isAway) return;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const tell of waiting) tell();
  }
}
