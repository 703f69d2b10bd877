import { expect, test } from '@jest/globals';
import { listOrgRevocations } from '@parley/contracts';
import { startOrg } from '@parley/org';
import { createLogger } from '@parley/platform/logging';
import { openTestStore } from '@parley/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from './data-folder.ts';
import { EmbeddedPlatform } from './embedded-platform.ts';

test('services start in any order: who calls one that does not listen yet waits for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-platform-'));
  const dataFolder = await openDataFolder(folder);
  const shared = await EmbeddedPlatform.open({
    folder: dataFolder,
    logger: createLogger({ name: 'test', level: 'silent' }),
    failpoint: async () => {},
    checkResponses: true,
    openStore: () => openTestStore(dataFolder.store, 5_000),
  });
  const ask = (deadlineMs: number) =>
    shared.of('billing').peers.call(listOrgRevocations, { query: {} }, { deadlineMs, failMode: 'refuse' });
  await expect(ask(50)).rejects.toMatchObject({ code: 'platform.unavailable' });
  const asked = ask(20_000);
  const org = await shared.start('org', (platform) => startOrg(platform, { organisationsPerPerson: 5 }));
  await expect(asked).resolves.toEqual({ items: [], cursor: 0 });
  await org.close();
  await shared.close();
  rmSync(folder, { recursive: true });
}, 30_000);
