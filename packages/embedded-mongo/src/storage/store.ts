import { Catalog, prepareTables } from './catalog.ts';
import { DirectTarget } from './direct-target.ts';
import { DocumentWriter } from './document-writer.ts';
import { Locks } from './locks.ts';
import { Log } from './log.ts';
import { Replies } from './replies.ts';
import { Reserve, type ReserveOptions } from './reserve.ts';
import { Sqlite } from './sqlite.ts';
import { Transaction } from './transaction.ts';

const maxIdleReaders = 16;
/** How long new transactions wait for the open ones to end, so that the log can start over. */
const drainMs = 250;

/** The documents: one writing connection, and a reading one for each transaction during which others write. */
export class Store {
  readonly sqlite: Sqlite;
  readonly catalog: Catalog;
  readonly writer: DocumentWriter;
  readonly locks = new Locks();
  readonly direct: DirectTarget;
  readonly replies: Replies;
  readonly reserve: Reserve | undefined;
  private readonly file: string;
  private readonly idleReaders: Sqlite[] = [];
  private readonly open = new Set<Transaction>();
  private readonly log: Log;
  private isInGroup = false;
  private drain: { done: Promise<void>; end: () => void } | undefined;

  constructor(file: string, reserve?: ReserveOptions) {
    this.file = file;
    this.reserve = reserve && new Reserve(file, reserve);
    this.sqlite = new Sqlite(file, false);
    try {
      prepareTables(this.sqlite);
    } catch (error) {
      this.sqlite.close();
      throw error;
    }
    this.catalog = new Catalog(this.sqlite);
    this.writer = new DocumentWriter(this.sqlite, this.catalog);
    this.direct = new DirectTarget({ sqlite: this.sqlite, writer: this.writer, locks: this.locks });
    this.replies = new Replies(this.sqlite);
    this.log = new Log(this.sqlite);
  }

  /** Starts a group of writes that become durable together. */
  beginGroup(): void {
    for (const transaction of this.open)
      if (transaction.needsSnapshot) transaction.keepSnapshot(this.idleReaders.pop() ?? new Sqlite(this.file, true));
    this.sqlite.prepare('BEGIN IMMEDIATE').run();
    this.isInGroup = true;
  }

  /** Makes the group durable: one fsync. */
  commitGroup(): void {
    this.sqlite.prepare('COMMIT').run();
    this.isInGroup = false;
    this.catalog.version++;
    // Without room the log starts over as often as it can.
    if (this.log.hasGrown() || this.reserve?.isGivenUp) this.startDrain();
  }

  /** Takes the group back, and what memory knows of it. */
  rollbackGroup(): void {
    if (this.isInGroup && this.sqlite.database.isTransaction) this.sqlite.prepare('ROLLBACK').run();
    this.isInGroup = false;
    this.catalog.reload();
    this.replies.forget();
  }

  /** Runs a step that is taken back as a whole when it throws, or when its result isn't worth keeping. */
  atomically<T>(step: () => T, isKept: (result: T) => boolean = () => true): T {
    this.sqlite.prepare('SAVEPOINT step').run();
    try {
      const result = step();
      if (isKept(result)) this.sqlite.prepare('RELEASE step').run();
      else this.takeBackStep();
      return result;
    } catch (error) {
      this.takeBackStep();
      throw error;
    }
  }

  private takeBackStep(): void {
    this.sqlite.prepare('ROLLBACK TO step').run();
    this.sqlite.prepare('RELEASE step').run();
    this.catalog.reload();
    this.replies.forget();
  }

  /** When the next transaction may begin; undefined: now. */
  get waitsForDrain(): Promise<void> | undefined {
    return this.drain?.done;
  }

  beginTransaction(): Transaction {
    const transaction = new Transaction({ writer: this.writer, locks: this.locks, catalog: this.catalog });
    this.open.add(transaction);
    return transaction;
  }

  /** Ends a transaction, whether its changes were applied or not. */
  endTransaction(transaction: Transaction): void {
    if (!this.open.delete(transaction)) return;
    const reader = transaction.end();
    if (reader && this.idleReaders.length < maxIdleReaders) this.idleReaders.push(reader);
    else reader?.close();
    if (this.open.size === 0 && !this.isInGroup) this.drain?.end();
  }

  /**
   * Transactions that overlap without end would keep the log from starting over: new ones wait a moment for the open
   * ones.
   */
  private startDrain(): void {
    if (this.open.size === 0) return this.drain ? this.drain.end() : this.log.restart();
    if (this.drain) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.drain?.end(), drainMs);
    const end = (): void => {
      clearTimeout(timer);
      this.drain = undefined;
      this.log.restart();
      resolve();
    };
    this.drain = { done: promise, end };
  }

  close(): void {
    for (const transaction of this.open) this.endTransaction(transaction);
    for (const reader of this.idleReaders) reader.close();
    this.drain?.end();
    this.log.close();
    this.sqlite.close();
  }
}
