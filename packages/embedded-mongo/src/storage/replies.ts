import { blob, type Sqlite } from './sqlite.ts';

/** The last numbered operation of a session, and how it was answered. */
export type KeptReply = { txnNumber: number; reply: Buffer };

const keepMs = 60 * 60 * 1000;
const maxCached = 10_000;

/**
 * Answers of retryable writes and of commits, kept in the same SQLite transaction as the write: whoever asks again,
 * even after a crash, gets the same answer instead of a second write.
 */
export class Replies {
  private readonly sqlite: Sqlite;
  private readonly cache = new Map<string, KeptReply | undefined>();

  constructor(sqlite: Sqlite) {
    this.sqlite = sqlite;
  }

  find(session: Buffer): KeptReply | undefined {
    const name = session.toString('latin1');
    if (this.cache.has(name)) return this.cache.get(name);
    const row = this.sqlite.get('SELECT txn, reply FROM replies WHERE session = ?', session);
    const kept = row && { txnNumber: Number(row[0]), reply: blob(row[1]) };
    this.remember(name, kept);
    return kept;
  }

  keep(session: Buffer, kept: KeptReply): void {
    this.sqlite.run(
      'INSERT OR REPLACE INTO replies(session, txn, reply, at) VALUES (?, ?, ?, ?)',
      session,
      kept.txnNumber,
      kept.reply,
      Date.now(),
    );
    this.remember(session.toString('latin1'), kept);
  }

  private remember(name: string, kept: KeptReply | undefined): void {
    if (this.cache.size >= maxCached) this.cache.clear();
    this.cache.set(name, kept);
  }

  /** Drops answers that nobody will ask for again. */
  sweep(now: number): void {
    this.sqlite.run('DELETE FROM replies WHERE at < ?', now - keepMs);
    this.cache.clear();
  }

  forget(): void {
    this.cache.clear();
  }
}
