import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from './data-folder.ts';
import { embeddedConfig } from './embedded-settings.ts';
import { startEmbedded } from './start-embedded.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-format-'));
  folders.push(folder);
  return folder;
};
const formatOf = (folder: string): number =>
  (JSON.parse(readFileSync(join(folder, 'format.json'), 'utf8')) as { version: number }).version;
/** As 0.3.0 leaves one behind. */
async function anOlderFolder(): Promise<string> {
  const folder = aFolder();
  await openDataFolder(folder);
  writeFileSync(join(folder, 'store.sqlite'), '');
  writeFileSync(join(folder, 'format.json'), '{"version":1}\n');
  return folder;
}

describe('the format of a data folder', () => {
  test('is that of this version in a new folder', async () => {
    const folder = aFolder();
    await openDataFolder(folder);
    expect(formatOf(folder)).toBe(4);
  });

  test('stays as it was where a command only opens an older folder', async () => {
    const folder = await anOlderFolder();
    await openDataFolder(folder);
    expect(formatOf(folder)).toBe(1);
  });

  test('is raised at a start once the store is its own, before anything in it changes', async () => {
    const path = await anOlderFolder();
    const folder = await openDataFolder(path);
    let before: number | undefined;
    let seen: number | undefined;
    const changing = () => {
      seen = formatOf(path);
      throw new Error('not changed');
    };
    const starting = startEmbedded({
      folder,
      logger: pino({ level: 'silent' }),
      config: embeddedConfig.parse({ PARLEY_PORT: '0', PARLEY_DATA: path }),
      failpoint: async () => {},
      checkResponses: false,
      openStore: async () => {
        before = formatOf(path);
        return { uri: changing } as never;
      },
    });
    await expect(starting).rejects.toThrow('not changed');
    expect([before, seen]).toEqual([1, 4]);
  });
});
