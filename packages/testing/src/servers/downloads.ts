import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = process.env['PARLEY_CACHE'] ?? join(homedir(), '.cache/parley');

/** Where a download is kept for all clones on this machine: in `PARLEY_CACHE` or `~/.cache/parley`. The name has its version. */
export const downloadPath = (name: string): string => join(folder, name);

/**
 * Fills a path of `downloadPath` unless it is there. `fill` writes into a new folder, in which `part` is what is kept (all
 * of it by default) and which is renamed at the end: two processes can do it at the same time, and what is there is whole.
 * A reason from `fill` means that it failed: it gets a second attempt, since a registry can be away for a moment. Returns
 * the last reason, or null.
 */
export function fillOnce(path: string, fill: (fresh: string) => string | null, part = '.'): string | null {
  if (existsSync(path)) return null;
  return fillIn(path, fill, part) && fillIn(path, fill, part);
}

function fillIn(path: string, fill: (fresh: string) => string | null, part: string): string | null {
  mkdirSync(folder, { recursive: true });
  const fresh = mkdtempSync(`${path}.`);
  try {
    const reason = fill(fresh);
    if (reason === null) keep(join(fresh, part), path);
    return reason;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Renames what is whole now to its path. Another process may have been faster: then what it has there stays. */
export function keep(fresh: string, path: string): void {
  try {
    renameSync(fresh, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
