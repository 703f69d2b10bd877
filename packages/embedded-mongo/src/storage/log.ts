import type { Sqlite } from './sqlite.ts';

/** How long nobody commits in a pause. */
const pauseMs = 5;
/** Pages in the log that make the next pause worth using: some 5 ms of work; */
const pausePages = 1024;
/** that are moved without waiting for a pause, */
const fullPages = 4096;
/** and from which on the log has to start over: 32 MB. */
const largePages = 8192;

/**
 * SQLite's write-ahead log. A commit only appends to it; its pages are moved into the file in pauses, and it starts
 * over once all are moved and no snapshot reads from it.
 */
export class Log {
  private readonly sqlite: Sqlite;
  private readonly pause: NodeJS.Timeout;
  private restartAt = largePages;

  constructor(sqlite: Sqlite) {
    this.sqlite = sqlite;
    this.pause = setTimeout(() => this.moveFrom(pausePages), pauseMs);
  }

  private pages(mode: 'NOOP' | 'PASSIVE'): { all: number; moved: number } {
    const [, all, moved] = this.sqlite.get(`PRAGMA wal_checkpoint(${mode})`)!;
    return { all: Number(all), moved: Number(moved) };
  }

  private moveFrom(limit: number): number {
    const { all, moved } = this.pages('NOOP');
    if (all - moved >= limit) this.pages('PASSIVE');
    return all;
  }

  /** To be called after each commit; tells whether the log needs a moment without snapshots. */
  hasGrown(): boolean {
    this.pause.refresh();
    return this.moveFrom(fullPages) >= this.restartAt;
  }

  /** Lets the next commit start the log over, if no snapshot is in the way; else the log may grow by a half. */
  restart(): void {
    const { all, moved } = this.pages('PASSIVE');
    this.restartAt = all === moved ? largePages : all + largePages / 2;
  }

  close(): void {
    clearTimeout(this.pause);
    this.sqlite.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
}
