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
    expect(formatOf(folder)).toBe(2);
  });

  test('stays as it was where a command only opens an older folder', async () => {
    const folder = await anOlderFolder();
    await openDataFolder(folder);
    expect(formatOf(folder)).toBe(1);
  });

  test('is raised at a start before the store is opened', async () => {
    const path = await anOlderFolder();
    const folder = await openDataFolder(path);
    let seen: number | undefined;
    const starting = startEmbedded({
      folder,
      logger: pino({ level: 'silent' }),
      config: embeddedConfig.parse({ PARLEY_PORT: '0', PARLEY_DATA: path }),
      failpoint: async () => {},
      checkResponses: false,
      openStore: async () => {
        seen = formatOf(path);
        throw new Error('not opened');
      },
    });
    await expect(starting).rejects.toThrow('not opened');
    expect(seen).toBe(2);
  });
});
