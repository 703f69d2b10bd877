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

/**
 * The time between two heartbeats, by which a process notices that a store which it isn't using is unavailable, or
 * back.
 */
const heartbeatMs = 2_000;
/** The embedded store's heartbeat interval: as a thread of this process it is never unreachable, only silent. */
const heartbeatInProcessMs = 6_000;
/**
 * A store that accepts connections and doesn't answer counts as unavailable after this time and the time between two
 * heartbeats.
 */
const silenceMs = 5_000;
/** Limits how long background work waits for a store: a replica set needs some seconds to elect a primary. */
const selectionMs = 10_000;
/** Sets how long an outage lasts before callers get an error; they wait for the end of shorter outages. */
const passingMs = 1_000;
/** Waiting callers get an error after this long without an answer of the primary, which is asked every two seconds. */
const mostSilentMs = 4_000;
/** The embedded store's limit, from the first heartbeat without an answer: at most 15 s after its last reply. */
const mostSilentInProcessMs = 9_000;
const lookMs = 250;

/** Matches the connection string of the embedded store. */
const behindSocket = /^mongodb:\/\/[^/]+\.sock(?:[/?]|$)/;
type Index = mongoose.mongo.IndexDescription;
const missing: readonly string[] = ['IndexNotFound', 'NamespaceNotFound'];

export type ConnectOptions = {
  /** True if no other process, and no other `Mongo` of this process, writes to the database. */
  readonly isAlone?: boolean;
  /** The embedded store's own link, for rows and transactions. Without it they use the driver, like everything else. */
  readonly link?: StoreLink | undefined;
};

/** One service's database. */
export class Mongo {
  readonly connection: Connection;
  private awaySince: number | null = null;
  private reachedAt = performance.now();
  /** Counts looks since the last answer, not time, because a process that stood still heard nothing meanwhile. */
  private silentLooks = 0;
  private readonly waiting = new Set<() => void>();
  private looking: NodeJS.Timeout | undefined;

  private readonly mostSilentMs: number;

  /** The cache of each collection; null if other processes write too. */
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
   * Connects to the database. Writes are majority and journaled. Only `applyIndexes` creates collections and indexes. A
   * process that runs alone, with one `Mongo` for the database, caches what its services read by `recall`.
   */
  static async connect(uri: string, options: ConnectOptions = {}): Promise<Mongo> {
    const isInProcess = behindSocket.test(uri);
    const connection = mongoose.createConnection(uri, {
      autoIndex: false,
      autoCreate: false,
      serverSelectionTimeoutMS: selectionMs,
      heartbeatFrequencyMS: isInProcess ? heartbeatInProcessMs : heartbeatMs,
      // A heartbeat that times out clears the pool and fails everything under way, so heartbeats of the embedded store
      // have no time limit.
      connectTimeoutMS: isInProcess ? 0 : silenceMs,
      writeConcern: { w: 'majority', journal: true },
    });
    await connection.asPromise();
    return new Mongo(connection, options, isInProcess);
  }

  /** True if the server couldn't be reached for a while: calls for which someone waits should fail immediately. */
  get isAway(): boolean {
    const isSilent = this.silentLooks * lookMs >= this.mostSilentMs;
    return isSilent || (this.awaySince !== null && performance.now() - this.awaySince > passingMs);
  }

  /**
   * Calls back once when the server is unavailable, at most five seconds after its last answer (the embedded store:
   * 15), so that nobody waits for the driver's retries. Returns a function that cancels the call.
   */
  whenAway(tell: () => void): () => void {
    this.waiting.add(tell);
    return () => void this.waiting.delete(tell);
  }

  /**
   * Returns for how many milliseconds the server has been reachable without a break; 0 while it isn't. Other processes
   * can still be about to write what they couldn't during the outage.
   */
  get reachedForMs(): number {
    return this.awaySince === null ? performance.now() - this.reachedAt : 0;
  }

  /** Returns the model of a collection in this database, the same object each time. */
  model<Row>(name: string, schema: Schema<Row>): Model<Row> {
    return (
      (this.connection.models[name] as unknown as Model<Row> | undefined) ??
      (this.connection.model(name, schema) as unknown as Model<Row>)
    );
  }

  /** Returns the collection of this database; the migration creates it with its indexes. Idempotent. */
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
   * Returns the collection of another database of the same store, for transactions that span both databases, because a
   * session belongs to its connection. The other database's migration creates the collection.
   */
  rowsOf<Definition extends Collection>(other: Mongo, definition: Definition): Rows<Definition> {
    if (this.linked) return other.rows(definition);
    const { name } = definition;
    const rows = this.connection.getClient().db(other.connection.name).collection<StoredRow>(name);
    return new Rows(definition, new DriverRowStore(rows), other.memoryOf(name));
  }

  /**
   * Runs a bare transaction, for the platform's own collections: services use `Work`, which records events too. After a
   * write conflict the whole of `work` runs again, so it must have no effect outside the transaction, and no parallel
   * operations inside.
   */
  async transaction<Result>(work: (session: StoreSession) => Promise<Result>): Promise<Result> {
    if (this.linked) return this.linked.transaction(work);
    return this.connection.withSession((client) => {
      const session = new DriverSession(client);
      return client.withTransaction(() => work(session));
    });
  }

  /**
   * Creates collections and indexes of every model of this connection, as part of the schema migration. Each start
   * calls it: all indexes of a collection are one command, which also creates the collection.
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

  /** For a data migration: drops an index that no definition names any more. Idempotent. */
  async dropIndex({ name }: Pick<Collection, 'name'>, index: string): Promise<void> {
    try {
      await this.connection.collection(name).dropIndex(index);
    } catch (error) {
      if (!(error instanceof mongoose.mongo.MongoServerError && missing.includes(error.codeName ?? ''))) throw error;
    }
  }

  /** Returns the cache of a collection, shared by all callers; null if other processes write too. */
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
