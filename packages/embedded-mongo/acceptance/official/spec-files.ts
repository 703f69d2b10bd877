import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EJSON } from 'bson';
import { adaptLegacy } from './legacy.ts';
import type { SpecFile } from './spec-types.ts';

const moduleName = 'go.mongodb.org/mongo-driver@v1.17.6';
const folders = ['crud', 'transactions', 'convenient-transactions', 'retryable-writes', 'sessions'];

/**
 * Returns the folder of the official test files. Go downloads their module into its own cache; the project never keeps it.
 * A failed download gets a second attempt, since a registry can be away for a moment.
 */
export function fetchSpecFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spec-'));
  try {
    writeFileSync(join(folder, 'go.mod'), 'module spec\n\ngo 1.18\n');
    const download = (): string =>
      execFileSync('go', ['mod', 'download', '-json', moduleName], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    let answer: string;
    try {
      answer = download();
    } catch {
      answer = download();
    }
    return join((JSON.parse(answer) as { Dir: string }).Dir, 'testdata');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the official files of the groups that concern this store; older formats are brought into the unified one. */
export function readSpecFiles(folder: string): SpecFile[] {
  return folders.flatMap((group) =>
    readdirSync(join(folder, group), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .map((name) => {
        const content = EJSON.parse(readFileSync(join(folder, group, name), 'utf8'), { relaxed: true }) as Record<
          string,
          unknown
        >;
        const file = 'schemaVersion' in content ? (content as unknown as SpecFile) : adaptLegacy(content);
        return { ...file, group, name: `${group}/${name}` };
      }),
  );
}
