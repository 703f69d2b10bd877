import { Catalog, type Collection } from '../src/storage/catalog.ts';
import { documentOf } from '../src/bson/value.ts';
import { indexKeysOf } from '../src/storage/index-keys.ts';
import type { Index } from '../src/storage/index-spec.ts';
import { blob, Sqlite } from '../src/storage/sqlite.ts';

/** What a recount of a closed file found. */
export type Recount = { documents: number; entries: number; problems: string[] };

function recountIndex(
  sqlite: Sqlite,
  collection: Collection,
  index: Index,
): { entries: number; problem: string | undefined } {
  const expected = new Set<string>();
  for (const [rid, doc] of sqlite.all(`SELECT rid, doc FROM c${collection.id}`)) {
    for (const key of indexKeysOf(documentOf(blob(doc)), index).keys)
      expected.add(`${Number(rid)}:${key.toString('latin1')}`);
  }
  const stored = sqlite
    .all(`SELECT rid, k FROM i${index.id}`)
    .map(([rid, key]) => `${Number(rid)}:${blob(key).toString('latin1')}`);
  const isSame = stored.length === expected.size && stored.every((entry) => expected.has(entry));
  return {
    entries: stored.length,
    problem: isSame
      ? undefined
      : `index ${collection.name}.${index.name} has ${stored.length} entries instead of ${expected.size}`,
  };
}

/** Checks a closed data file: SQLite's own check, and every index entry against the documents. */
export function recount(file: string): Recount {
  const sqlite = new Sqlite(file, false);
  try {
    const problems: string[] = [];
    const [verdict] = sqlite.get('PRAGMA integrity_check')!;
    if (verdict !== 'ok') problems.push(`integrity_check: ${String(verdict)}`);
    let documents = 0;
    let entries = 0;
    for (const collection of new Catalog(sqlite).all()) {
      documents += Number(sqlite.get(`SELECT count(*) FROM c${collection.id}`)![0]);
      for (const index of collection.indexes.slice(1)) {
        const result = recountIndex(sqlite, collection, index);
        entries += result.entries;
        if (result.problem) problems.push(result.problem);
      }
    }
    return { documents, entries, problems };
  } finally {
    sqlite.close();
  }
}
