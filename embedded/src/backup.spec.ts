import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Message } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { redPng } from '@parley/testing/files';
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { backupFolder, restoreFolder } from './backup.ts';
import { openDataFolder } from './data-folder.ts';
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
    const imageId = newId('file');
    await owner.attach(imageId, 'Red.png', new Uint8Array(redPng));
    await eventually(
      async () =>
        expect((await owner.call('GET /api/chat/files', { query: { ids: imageId } })).items[0]?.status).toBe('ready'),
      'the image should be read',
    );
    const seenBy = async (client: ParleyClient) =>
      Buffer.from(await (await client.raw('GET', `/api/chat/files/${imageId}/image`)).arrayBuffer());
    const seen = await seenBy(owner);
    expect(seen.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const conversationId = newId('conversation');
    await owner.send(conversationId, 'Where is the spare key?', { files: [{ id: imageId, use: 'auto' }] });
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
    expect((await again.messages(conversationId)).items[0]?.files).toMatchObject([{ id: imageId, use: 'image' }]);
    expect((await seenBy(again)).equals(seen)).toBe(true);
    const download = await again.raw('GET', `/api/chat/files/${imageId}/content`);
    expect(Buffer.from(await download.arrayBuffer()).equals(redPng)).toBe(true);
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
    expect(existsSync(join(work, 'new'))).toBe(false);
    await expect(backupFolder(join(work, 'nothing'), join(work, 'b.tar'))).rejects.toThrow('holds no Parley data');
    rmSync(work, { recursive: true });
  });
});

describe('a backup that is not as it was written', () => {
  const work = temporary();
  const good = join(work, 'good.tar');
  type Entry = { readonly name: string; readonly content: Buffer; readonly type?: 'symlink' };
  let entries: Entry[] = [];

  beforeAll(async () => {
    const folder = join(work, 'data');
    await openDataFolder(folder);
    new DatabaseSync(join(folder, 'store.sqlite')).close();
    writeFileSync(join(folder, 'blobs', 'one'), 'first of the blobs');
    writeFileSync(join(folder, 'blobs', 'none'), '');
    await backupFolder(folder, good);
    entries = await entriesOf(good);
  });
  afterAll(() => rmSync(work, { recursive: true }));

  const changed = (name: string, content: string) => (all: Entry[]) =>
    all.map((entry) => (entry.name === name ? { name, content: Buffer.from(content) } : entry));
  const added = (entry: Entry) => (all: Entry[]) => [entry, ...all];
  const faults: readonly [string, (all: Entry[]) => Entry[], string][] = [
    ['cut before its list', (all) => all.slice(0, -1), 'its end is missing'],
    ['without a file', (all) => all.filter(({ name }) => name !== 'blobs/one'), 'blobs/one is missing'],
    ['with other content', changed('blobs/one', 'thirs of the blobs'), 'blobs/one was changed'],
    ['with a file of somebody else', added({ name: 'blobs/two', content: Buffer.from('2') }), 'does not belong to it'],
    ['with a file twice', (all) => [...all.slice(0, -1), all[0]!, all.at(-1)!], 'format.json comes twice'],
    ['with a file that leads out', added({ name: '../out', content: Buffer.from('x') }), 'leads elsewhere'],
    ['with an absolute link', added({ name: 'blobs/l', content: Buffer.alloc(0), type: 'symlink' }), 'leads elsewhere'],
    ['with something after its list', (all) => [...all, { name: 'blobs/two', content: Buffer.from('2') }], 'after its'],
    ['with a broken list', changed('manifest.json', '{"files":[{}]}'), 'its list cannot be read'],
  ];

  test.each(faults)('%s is refused in one sentence and leaves nothing', async (name, change, reason) => {
    const file = join(work, `${name}.tar`);
    await writeTar(file, change(entries));
    const empty = mkdtempSync(join(work, 'empty-'));
    for (const target of [join(work, 'new'), empty]) await expect(restoreFolder(file, target)).rejects.toThrow(reason);
    expect([existsSync(join(work, 'new')), existsSync(join(work, 'out')), readdirSync(empty)]).toEqual([
      false,
      false,
      [],
    ]);
  });

  test('cut in the middle, wherever, is refused and leaves nothing', async () => {
    const whole = readFileSync(good);
    for (const share of [0.1, 0.5, 0.9, 0.97]) {
      const file = join(work, `cut-${share}.tar`);
      writeFileSync(file, whole.subarray(0, Math.floor(whole.length * share)));
      await expect(restoreFolder(file, join(work, 'new'))).rejects.toThrow('is not a complete Parley backup');
      expect(existsSync(join(work, 'new'))).toBe(false);
    }
  });

  test('as it was written it comes back, byte for byte', async () => {
    await restoreFolder(good, join(work, 'restored'));
    const back = (name: string) => readFileSync(join(work, 'restored', name));
    for (const { name, content } of entries.slice(0, -1)) expect(back(name).equals(content)).toBe(true);
    expect(existsSync(join(work, 'restored', 'manifest.json'))).toBe(false);
  });

  async function entriesOf(file: string): Promise<Entry[]> {
    const found: Entry[] = [];
    const unpack = extract();
    unpack.on('entry', ({ name }, content, next) => {
      void buffer(content).then((bytes) => {
        found.push({ name, content: bytes });
        next();
      }, next);
    });
    await pipeline(createReadStream(file), unpack);
    return found;
  }

  async function writeTar(file: string, all: readonly Entry[]): Promise<void> {
    const tar = pack();
    const writing = pipeline(tar, createWriteStream(file));
    for (const { name, content, type } of all)
      tar.entry(type ? { name, type, linkname: '/etc/passwd' } : { name }, content);
    tar.finalize();
    await writing;
  }
});

test('a data folder that was open to others is closed to them', async () => {
  const work = temporary();
  const folder = join(work, 'data');
  mkdirSync(folder, { mode: 0o755 });
  chmodSync(folder, 0o755);
  await openDataFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  rmSync(work, { recursive: true });
});
