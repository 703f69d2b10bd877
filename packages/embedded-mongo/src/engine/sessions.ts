import { fail } from '../errors.ts';
import type { Store } from '../storage/store.ts';
import type { Transaction } from '../storage/transaction.ts';
import { noSuchTransaction } from '../storage/transaction-errors.ts';
import type { Cursors } from './cursors.ts';

/** A client's logical session. */
export type Session = {
  /** Key of the session in maps. */
  readonly name: string;
  readonly id: Buffer;
  txnNumber: number;
  state: 'none' | 'open' | 'committed' | 'aborted';
  transaction: Transaction | undefined;
  /** Documents that the transaction has written so far. */
  written: number;
  /** The transaction that frees space: it may use the reserve. */
  freeingTxn: number | undefined;
  startedAt: number;
  lastUsedAt: number;
  /** The numbered write that runs now. */
  running: { envelope: unknown; txnNumber: number; ended: Promise<void>; end: () => void } | undefined;
};

const sessionLifetimeMs = 30 * 60_000;

/** Keeps sessions and their open transactions. */
export class Sessions {
  private readonly store: Store;
  private readonly cursors: Cursors;
  private readonly transactionLifetimeMs: number;
  private readonly sessions = new Map<string, Session>();

  constructor(store: Store, cursors: Cursors, transactionLifetimeMs: number) {
    this.store = store;
    this.cursors = cursors;
    this.transactionLifetimeMs = transactionLifetimeMs;
  }

  use(id: Buffer): Session {
    const name = id.toString('latin1');
    let session = this.sessions.get(name);
    if (!session) {
      session = {
        name,
        id: Buffer.from(id),
        txnNumber: -1,
        state: 'none',
        transaction: undefined,
        written: 0,
        freeingTxn: undefined,
        startedAt: 0,
        lastUsedAt: 0,
        running: undefined,
      };
      this.sessions.set(name, session);
    }
    session.lastUsedAt = performance.now();
    return session;
  }

  private checkNumber(session: Session, txnNumber: number): void {
    const known = Math.max(session.txnNumber, this.store.replies.find(session.id)?.txnNumber ?? -1);
    if (txnNumber < known)
      fail(
        'TransactionTooOld',
        `Cannot start transaction ${txnNumber} on session because a newer transaction ${known} has already started.`,
      );
  }

  /** Notes a numbered write outside of a transaction. */
  useNumber(session: Session, txnNumber: number): void {
    this.checkNumber(session, txnNumber);
    if (txnNumber === session.txnNumber) return;
    this.abort(session);
    session.txnNumber = txnNumber;
    session.state = 'none';
  }

  /** Opens a transaction. */
  start(session: Session, txnNumber: number): Transaction {
    this.checkNumber(session, txnNumber);
    if (txnNumber === session.txnNumber) {
      fail(
        'ConflictingOperationInProgress',
        `Given transaction number ${txnNumber} does not match any in-progress transactions: it has already been used`,
      );
    }
    this.abort(session);
    session.txnNumber = txnNumber;
    session.state = 'open';
    session.startedAt = performance.now();
    session.written = 0;
    session.transaction = this.store.beginTransaction();
    return session.transaction;
  }

  /** The transaction that a statement continues. */
  resume(session: Session, txnNumber: number): Transaction {
    this.checkNumber(session, txnNumber);
    if (txnNumber !== session.txnNumber || session.state === 'none') {
      throw noSuchTransaction(
        `Given transaction number ${txnNumber} does not match any in-progress transactions. The active transaction number is ${session.txnNumber}`,
      );
    }
    if (session.state === 'committed')
      fail('TransactionCommitted', `Transaction with { txnNumber: ${txnNumber} } has been committed.`);
    if (session.transaction === undefined)
      throw noSuchTransaction(`Transaction with { txnNumber: ${txnNumber} } has been aborted.`);
    return session.transaction;
  }

  /** Ends the open transaction of a session, if there is one. */
  private end(session: Session, state: 'committed' | 'aborted'): void {
    const { transaction } = session;
    if (transaction === undefined) return;
    session.transaction = undefined;
    session.state = state;
    this.cursors.killOf(transaction);
    this.store.endTransaction(transaction);
  }

  abort(session: Session): void {
    this.end(session, 'aborted');
  }

  /** Tells that the open transaction of a session will be committed next. */
  announceEnd(session: Session | undefined, txnNumber: number | undefined): void {
    if (session?.transaction && session.txnNumber === txnNumber) session.transaction.isEnding = true;
  }

  /** Writes the changes of a transaction; the caller's group makes them durable. */
  commit(session: Session, reply: Buffer): void {
    const { transaction } = session;
    if (transaction === undefined) return;
    try {
      if (transaction.hasChanges) {
        if (transaction.isChecked) transaction.apply();
        else this.store.atomically(() => transaction.apply());
        this.store.replies.keep(session.id, { txnNumber: session.txnNumber, reply });
      }
    } catch (error) {
      this.abort(session);
      throw error;
    }
    this.end(session, 'committed');
  }

  forget(id: Buffer): void {
    const session = this.sessions.get(id.toString('latin1'));
    if (!session) return;
    this.abort(session);
    this.sessions.delete(session.name);
  }

  forgetAll(): void {
    for (const session of this.sessions.values()) this.forget(session.id);
  }

  /** Ends transactions that stay open too long, and sessions that nobody uses. */
  sweep(now: number): void {
    for (const session of this.sessions.values()) {
      if (session.transaction && now - session.startedAt > this.transactionLifetimeMs) this.abort(session);
      if (now - session.lastUsedAt > sessionLifetimeMs) this.forget(session.id);
    }
  }
}
