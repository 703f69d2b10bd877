import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = process.env['PARLEY_CACHE'] ?? join(homedir(), '.cache/parley');

/** Returns where a download is kept for all clones on this machine: in `PARLEY_CACHE` or `~/.cache/parley`. The name contains its version. */
export const downloadPath = (name: string): string => join(folder, name);

/**
 * Fills a path of `downloadPath` unless it exists. `fill` writes into a new folder, whose `part` (all of it by default) is
 * renamed to the path at the end: two processes can do it at the same time, and what exists is whole. If `fill` returns a
 * reason, it failed and gets a second attempt, since a registry can be away for a moment. Returns the last reason or null.
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

/** Renames a complete download to its path. Does nothing if another process was faster. */
export function keep(fresh: string, path: string): void {
  try {
    renameSync(fresh, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
