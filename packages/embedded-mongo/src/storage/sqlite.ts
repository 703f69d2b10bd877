import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

const maxCachedStatements = 2000;

/** A SQLite connection with its prepared statements. */
export class Sqlite {
  readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  constructor(file: string, readOnly: boolean) {
    this.database = new DatabaseSync(file, { timeout: 5000, readOnly });
    this.database.exec(
      `PRAGMA mmap_size = 67108864; PRAGMA cache_size = ${readOnly ? -2048 : -16384}; PRAGMA temp_store = memory`,
    );
    if (readOnly) return;
    this.database.exec(
      'PRAGMA journal_mode = wal; PRAGMA synchronous = full; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 33554432',
    );
  }

  /** A prepared statement whose rows are arrays. */
  prepare(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    statement.setReturnArrays(true);
    if (this.statements.size >= maxCachedStatements) this.statements.clear();
    this.statements.set(sql, statement);
    return statement;
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; rowid: number } {
    const result = this.prepare(sql).run(...values);
    return { changes: Number(result.changes), rowid: Number(result.lastInsertRowid) };
  }

  get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return this.prepare(sql).get(...values) as SqlRow | undefined;
  }

  all(sql: string, ...values: SQLInputValue[]): SqlRow[] {
    return this.prepare(sql).all(...values) as unknown as SqlRow[];
  }

  /** Forgets prepared statements; needed after a table was dropped. */
  forgetStatements(): void {
    this.statements.clear();
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }
}

export type SqlRow = (null | number | bigint | string | Uint8Array)[];

/** A blob column as a buffer. */
export function blob(column: SqlRow[number] | undefined): Buffer {
  const bytes = column as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
