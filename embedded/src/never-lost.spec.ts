import { describe, expect, test } from '@jest/globals';
import type { LedgerEntry, Message, Provider } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupFolder, restoreFolder } from './backup.ts';
import { lastEvents, newPerson, password, startMockProvider, startTestParley, token } from './test-parley.spec-setup.ts';

const temporary = () => mkdtempSync(join(tmpdir(), 'parley-lost-'));

describe('a restart in mid-answer', () => {
  test('the message is there, the answer starts again under a new epoch, and both attempts are billed once', async () => {
    const folder = temporary();
    let isSecond = false;
    const mock = await startMockProvider((_request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.write(token('First words '));
      if (isSecond) response.end(`${token('and the rest.')}${lastEvents(3, 5)}`);
    });
    const settings = { PARLEY_OUTBOUND_ALLOW: mock.address };
    const first = await startTestParley(settings, { folder });
    const owner = await newPerson(first.url, { organisation: 'Restart' });
    await owner.call<Provider>('POST', '/api/chat/providers', { id: newId('provider'), name: 'M', baseUrl: mock.url, models: ['m'], defaultModel: 'm', isDefault: true });
    const conversationId = newId('conversation');
    const { answer } = await owner.send(conversationId, 'Tell me');
    await eventually(async () => expect((await owner.messages(conversationId)).items[1]?.text).toBe('First words '), 'the checkpoint should hold the first words');
    await first.close();

    isSecond = true;
    const second = await startTestParley(settings, { folder });
    const again = new ParleyClient(second.url);
    await again.signIn(owner.me?.email ?? '', password);
    again.orgId = owner.orgId;
    const finished = await eventually(async () => {
      const { items } = await again.messages(conversationId);
      expect([items[1]?.generation?.status, items[1]?.generation?.failure, items[1]?.generation?.failureDetail]).toEqual(['done', null, null]);
      return items;
    }, 'the answer should be finished');
    expect(finished.map(({ role, text }) => [role, text])).toEqual([['person', 'Tell me'], ['assistant', 'First words and the rest.']]);
    expect(finished[1]?.generation?.resumedAt).not.toBeNull();
    await eventually(async () => {
      const { items } = await again.call<{ items: LedgerEntry[] }>('GET', `/api/billing/ledger-entries?generationId=${answer.generation?.id}`);
      expect(items.map(({ attempt, outcome }) => `${attempt} ${outcome}`).toSorted((one, other) => one.localeCompare(other))).toEqual(['1 interrupted', '2 done']);
    }, 'each attempt should have one ledger entry');
    await second.close();
    mock.close();
    rmSync(folder, { recursive: true });
  }, 90_000);
});

describe('backup and restore', () => {
  test('a backup of a running Parley shows everything in a new folder: messages, documents, sealed keys', async () => {
    const work = temporary();
    const mock = await startMockProvider((_request, response) => void response.setHeader('content-type', 'text/event-stream').end(`${token('ok')}${lastEvents(1, 1)}`));
    const settings = { PARLEY_OUTBOUND_ALLOW: mock.address };
    const original = await startTestParley(settings, { folder: join(work, 'data') });
    const owner = await newPerson(original.url, { organisation: 'Backup' });
    await owner.upload('note.md', '# Note\n\nThe spare key hangs behind the door.');
    await owner.call<Provider>('POST', '/api/chat/providers', { id: newId('provider'), name: 'M', baseUrl: mock.url, models: ['m'], defaultModel: 'm', isDefault: true, apiKey: 'sk-sealed-key-123456' });
    const conversationId = newId('conversation');
    await owner.send(conversationId, 'Where is the spare key?');
    await eventually(async () => expect((await owner.messages(conversationId)).items[1]?.generation?.status).toBe('done'), 'the answer should be there');
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
    expect((await again.messages(conversationId)).items.map(({ text }: Message) => text)).toEqual(['Where is the spare key?', 'ok']);
    const searchable = async () => (await again.call<{ counts: { searchable: number } }>('GET', '/api/chat/documents')).counts.searchable;
    await eventually(async () => expect(await searchable()).toBe(1), 'the document should be searchable, read again if the backup fell into its reading');
    await again.send(conversationId, 'spare key again?');
    await eventually(async () => expect((await again.messages(conversationId)).items[3]?.text).toBe('ok'), 'the sealed key should open');
    expect(mock.requests.at(-1)?.headers['authorization']).toBe('Bearer sk-sealed-key-123456');
    expect(mock.requests.at(-1)?.body).toContain('behind the door');
    await restored.close();
    mock.close();
    rmSync(work, { recursive: true });
  }, 90_000);

  test('a tar that is none of ours is refused and leaves nothing', async () => {
    const work = temporary();
    await expect(restoreFolder(import.meta.filename, join(work, 'new'))).rejects.toThrow('is not a complete Parley backup');
    await expect(backupFolder(join(work, 'nothing'), join(work, 'b.tar'))).rejects.toThrow('holds no Parley data');
    rmSync(work, { recursive: true });
  });
});
