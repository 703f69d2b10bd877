import { afterAll, expect, test } from '@jest/globals';
import { embeddedConfig, openDataFolder, startEmbedded } from '@parley/embedded';
import { newId } from '@parley/platform/ids';
import { createLogger } from '@parley/platform/logging';
import { describeOn } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { startSecantus } from '@parley/testing/servers';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from './migrate.ts';

describeOn('parley migrate', await startSecantus(), (mongodb) => {
  const work = mkdtempSync(join(tmpdir(), 'parley-migrate-'));
  const data = join(work, 'data');
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test('parley migrate brings a data folder to a MongoDB-compatible server that is not ours, with its uploads and keys', async () => {
    const parley = await startEmbedded({
      folder: await openDataFolder(data), logger: createLogger({ name: 'test', level: 'silent' }), failpoint: async () => {}, checkResponses: true,
      config: embeddedConfig.parse({ PARLEY_PORT: '0', PARLEY_REGISTRATION: 'open' }),
    });
    const owner = new ParleyClient(parley.url);
    await owner.register({ name: 'Mover', email: 'mover@example.com', password: 'three quiet herons' });
    await owner.createOrganisation('Movers');
    await owner.upload('vpn.md', '# VPN\n\nRestart the gateway in pairs.');
    await owner.send(newId('conversation'), 'How do I restart the gateway?');
    await parley.close();

    process.env['PARLEY_MONGO_URL'] = mongodb.url;
    process.env['PARLEY_BLOBS_FOLDER'] = join(work, 'blobs');
    const lines = await migrate({ data, keysOut: join(work, 'keys') });
    expect(lines.find((line) => line.startsWith('parley_chat.messages'))).toMatch(/^parley_chat\.messages: 2, sha256 [0-9a-f]{16}… on both sides$/);
    expect(lines.find((line) => line.startsWith('uploads'))).toMatch(/^uploads \(1\), bytes: \d+/);
    expect(readFileSync(join(work, 'keys/sealing.key'), 'utf8').trim()).toBe((JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8')) as { sealingKey: string }).sealingKey);
    await expect(migrate({ data, keysOut: join(work, 'other-keys') })).rejects.toThrow('is not empty');
  });
});
