import { describe, expect, test } from '@jest/globals';
import type { Message } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupFolder, restoreFolder } from './backup.ts';
import {
  lastEvents,
  newPerson,
  password,
  startMockProvider,
  startTestParley,
  token,
} from './test-parley.spec-setup.ts';

const temporary = () => mkdtempSync(join(tmpdir(), 'parley-backup-'));

describe('backup and restore', () => {
  test('a backup of a running Parley shows everything in a new folder: messages, documents, sealed keys', async () => {
    const work = temporary();
    const mock = await startMockProvider(
      (_request, response) =>
        void response.setHeader('content-type', 'text/event-stream').end(`${token('ok')}${lastEvents(1, 1)}`),
    );
    const settings = { PARLEY_OUTBOUND_ALLOW: mock.address };
    const original = await startTestParley(settings, { folder: join(work, 'data') });
    const owner = await newPerson(original.url, { organisation: 'Backup' });
    await owner.upload('note.md', '# Note\n\nThe spare key hangs behind the door.');
    await owner.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'M',
        baseUrl: mock.url,
        models: ['m'],
        defaultModel: 'm',
        isDefault: true,
        apiKey: 'sk-sealed-key-123456',
      },
    });
    const conversationId = newId('conversation');
    await owner.send(conversationId, 'Where is the spare key?');
    await eventually(
      async () => expect((await owner.messages(conversationId)).items[1]?.generation?.status).toBe('done'),
      'the answer should be there',
    );
    const file = join(work, 'backup.tar');
    await backupFolder(join(work, 'data'), file);
    await expect(backupFolder(join(work, 'data'), file)).rejects.toThrow('exists');
    await original.close();

    await expect(restoreFolder(file, join(work, 'data'))).rejects.toThrow('is not empty');
    await restoreFolder(file, join(work, 'restored'));
    const restored = await startTestParley(settings, { folder: join(work, 'restored') });
    const again = new ParleyClient(restored.url);
    await again.signIn(owner.me?.email ?? '', password);
    again.orgId = owner.orgId;
    expect((await again.messages(conversationId)).items.map(({ text }: Message) => text)).toEqual([
      'Where is the spare key?',
      'ok',
    ]);
    const searchable = async () => (await again.call('GET /api/chat/documents')).counts.searchable;
    await eventually(
      async () => expect(await searchable()).toBe(1),
      'the document should be searchable, read again if the backup fell into its reading',
    );
    await again.send(conversationId, 'spare key again?');
    await eventually(
      async () => expect((await again.messages(conversationId)).items[3]?.text).toBe('ok'),
      'the sealed key should open',
    );
    expect(mock.requests.at(-1)?.headers['authorization']).toBe('Bearer sk-sealed-key-123456');
    expect(mock.requests.at(-1)?.body).toContain('behind the door');
    await restored.close();
    mock.close();
    rmSync(work, { recursive: true });
  }, 90_000);

  test('a tar that is none of ours is refused and leaves nothing', async () => {
    const work = temporary();
    await expect(restoreFolder(import.meta.filename, join(work, 'new'))).rejects.toThrow(
      'is not a complete Parley backup',
    );
    await expect(backupFolder(join(work, 'nothing'), join(work, 'b.tar'))).rejects.toThrow('holds no Parley data');
    rmSync(work, { recursive: true });
  });
});
