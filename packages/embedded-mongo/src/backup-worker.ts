import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Sqlite } from './storage/sqlite.ts';

/** What a backup needs to know. */
export type BackupOptions = { file: string; target: string };

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

// A reader of its own: it sees one state of the file, and neither blocks the store nor is restarted by its writes.
const { file, target } = workerData as BackupOptions;
const sqlite = new Sqlite(file, true);
try {
  sqlite.prepare('VACUUM INTO ?').run(target);
} finally {
  sqlite.close();
}
sync(target);
sync(dirname(target));
parentPort!.postMessage('done');
