import { statSync } from 'node:fs';
import { Catalog, prepareTables } from './catalog.ts';
import { DirectTarget } from './direct-target.ts';
import { DocumentWriter } from './document-writer.ts';
import { Locks } from './locks.ts';
import { Replies } from './replies.ts';
import { Sqlite } from './sqlite.ts';
import { Transaction } from './transaction.ts';

const maxIdleReaders = 16;
/** Transactions that follow each other without a pause keep SQLite from starting its log over; beyond this size a pause is used for it. */
const largeLogBytes = 64 * 1024 * 1024;
const looksApart = 64;

/** The documents: one writing connection, and a reading one for each open transaction. */
export class Store {
  readonly sqlite: Sqlite;
  readonly catalog: Catalog;
  readonly writer: DocumentWriter;
  readonly locks = new Locks();
  readonly direct: DirectTarget;
  readonly replies: Replies;
  private readonly file: string;
  private readonly idleReaders: Sqlite[] = [];
  private readonly open = new Set<Transaction>();
  private isInGroup = false;
  private pauses = 0;

  constructor(file: string) {
    this.file = file;
    this.sqlite = new Sqlite(file, false);
    prepareTables(this.sqlite);
    this.catalog = new Catalog(this.sqlite);
    this.writer = new DocumentWriter(this.sqlite, this.catalog);
    this.direct = new DirectTarget({ sqlite: this.sqlite, writer: this.writer, locks: this.locks });
    this.replies = new Replies(this.sqlite);
  }

  /** Starts a group of writes that become durable together. */
  beginGroup(): void {
    this.sqlite.prepare('BEGIN IMMEDIATE').run();
    this.isInGroup = true;
  }

  /** Makes the group durable: one fsync. */
  commitGroup(): void {
    this.sqlite.prepare('COMMIT').run();
    this.isInGroup = false;
    this.catalog.version++;
    this.shrinkLog();
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

  beginTransaction(): Transaction {
    const snapshot = this.idleReaders.pop() ?? new Sqlite(this.file, true);
    const transaction = new Transaction({ snapshot, writer: this.writer, locks: this.locks, catalog: this.catalog });
    this.open.add(transaction);
    return transaction;
  }

  /** Ends a transaction, whether its changes were applied or not. */
  endTransaction(transaction: Transaction): void {
    if (!this.open.delete(transaction)) return;
    const reader = transaction.end();
    if (this.idleReaders.length < maxIdleReaders) this.idleReaders.push(reader);
    else reader.close();
    this.shrinkLog();
  }

  /** Empties a large write-ahead log while no snapshot needs it; somebody else's reader only postpones it. */
  private shrinkLog(): void {
    if (this.isInGroup || this.open.size > 0) return;
    this.pauses += 1;
    if (this.pauses % looksApart !== 0 || statSync(`${this.file}-wal`).size < largeLogBytes) return;
    this.sqlite.database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = 5000');
  }

  close(): void {
    for (const transaction of this.open) this.endTransaction(transaction);
    for (const reader of this.idleReaders) reader.close();
    this.sqlite.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.sqlite.close();
  }
}
