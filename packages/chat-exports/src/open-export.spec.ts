import { describe, expect, test } from '@jest/globals';
import { archiveLimits } from './archive-limits.ts';
import { allOf, open, openAll, readAll, refusalOf, upload, zipOf } from './fixtures.spec-setup.ts';
import { branched, gptConversation, gptMessage } from './sources/chatgpt.spec-setup.ts';

const numbered = (number: number) => gptConversation(branched, { conversation_id: `c${number}`, id: `c${number}` });
const claudeChat = { uuid: 'x', name: 'A talk', chat_messages: [{ uuid: 'm', sender: 'human', text: 'Hi' }] };

describe('opening an upload', () => {
  test('tells the product by the content, whatever the names say', async () => {
    expect((await open(zipOf({ 'claude.json': [numbered(1)] }))).source).toBe('chatgpt');
    expect((await open(zipOf({ 'chatgpt/conversations.json': [claudeChat] }))).source).toBe('claude');
    expect((await openAll([upload([claudeChat], 'chat-export.txt')])).source).toBe('claude');
  });

  test.each<[string, Buffer | object | string]>([
    ['a text', 'Hello'],
    ['an empty file', ''],
    ['an empty archive', zipOf({})],
    ['other JSON', { a: 1 }],
    ['an archive of other files', zipOf({ 'a.pdf': '%PDF-1.7', 'package.json': { name: 'x' } })],
  ])('%s is no export', async (_name, content) => {
    expect(await refusalOf(content)).toBe('not-an-export');
  });

  test('a cut archive or JSON that tells nothing is damaged', async () => {
    expect(await refusalOf(zipOf({ 'conversations.json': [numbered(1)] }).subarray(0, -5))).toBe('damaged');
    expect(await refusalOf('[{"a":')).toBe('damaged');
  });

  test('chats that pack far too well are refused before they are unpacked', async () => {
    expect(
      await refusalOf(zipOf({ 'conversations.json': `[${JSON.stringify(claudeChat)},"${' '.repeat(5e6)}"]` }), {
        limits: { ...archiveLimits, plainBytes: 1024 ** 2 },
      }),
    ).toBe('too-much-inside');
    const limits = { ...archiveLimits, unpackedBytes: 1_000 };
    expect(await refusalOf(zipOf({ 'conversations.json': [numbered(1)] }), { limits })).toBe('too-much-inside');
  });

  test('exports of two products in one upload are refused', async () => {
    await expect(openAll([upload([numbered(1)]), upload([claudeChat])])).rejects.toMatchObject({
      reason: 'several-sources',
    });
  });

  test('an export that was sent as an attachment is an attachment', async () => {
    const zip = zipOf({
      'conversations.json': [numbered(1)],
      'file-1-conversations.json': [claudeChat],
      'a.json': [claudeChat],
    });
    const found = await readAll(zip);
    expect(found.map(({ sourceId }) => sourceId)).toEqual(['c1']);
  });

  test('archives are looked into one level deep', async () => {
    const inner = zipOf({ 'conversations.json': [numbered(1)] });
    expect((await readAll(zipOf({ 'x/inner.zip': inner }))).map(({ sourceId }) => sourceId)).toEqual(['c1']);
    expect(await refusalOf(zipOf({ 'outer.zip': zipOf({ 'inner.zip': inner }) }))).toBe('not-an-export');
  });
});

describe('reading chats', () => {
  test('goes on where it was, with the same chats', async () => {
    const shells = { title: 'Shell', conversation_id: 'shell', current_node: null };
    const opened = await open([numbered(1), shells, numbered(2), numbered(1), 7, numbered(3)]);
    const all = await allOf(opened);
    expect(all.map(({ sourceId }) => sourceId)).toEqual(['c1', 'shell', 'c2', null, 'c3']);
    for (let from = 0; from <= all.length; from += 1)
      expect(JSON.stringify(await allOf(opened, from))).toBe(JSON.stringify(all.slice(from)));
  });

  test('a chat that is damaged or too large costs only itself', async () => {
    const json = [numbered(1), numbered(2), numbered(3)].map((chat) => JSON.stringify(chat));
    const large = JSON.stringify({ ...numbered(4), filler: 'x'.repeat(33 * 1024 ** 2) });
    const found = await readAll(`[${json[0]},${json[1]!.replace('"mapping":{', '"mapping":{,')},${large},${json[2]}]`);
    expect(found.map((chat) => (chat.kind === 'chat' ? chat.sourceId : [chat.reason, chat.title]))).toEqual([
      'c1',
      ['damaged', 'A chat'],
      ['too-large', 'A chat'],
      'c3',
    ]);
  });

  test('of a cut file the rest is one damaged chat, and the next shard is read', async () => {
    const json = JSON.stringify([numbered(1), numbered(2)]);
    const found = await readAll(
      zipOf({ 'conversations-000.json': json.slice(0, -900), 'conversations-001.json': [numbered(3)] }),
    );
    expect(found.map(({ kind, sourceId }) => [kind, sourceId])).toEqual([
      ['chat', 'c1'],
      ['broken', null],
      ['chat', 'c3'],
    ]);
  });

  test('stops when the signal is aborted', async () => {
    const controller = new AbortController();
    const opened = await open([numbered(1), numbered(2)], { signal: controller.signal });
    const chats = opened.chats();
    await chats.next();
    controller.abort(new Error('paused'));
    await expect(chats.next()).rejects.toThrow('paused');
  });

  test('passes on what the storage fails with', async () => {
    const source = upload([numbered(1), ...Array.from({ length: 2_000 }, (_, at) => numbered(at))], 'x');
    let isAway = false;
    const read: typeof source.read = (start, end) =>
      isAway ? Promise.reject(new Error('away')) : source.read(start, end);
    const opened = await openAll([{ ...source, read }]);
    isAway = true;
    await expect(allOf(opened)).rejects.toThrow('away');
  });
});

describe('files that people get with their chats', () => {
  test('a JSON Lines file yields one chat for each line', async () => {
    const lines = [1, 2, 3].map((number) => JSON.stringify(numbered(number)));
    expect((await readAll(`${lines.join('\n')}\n`)).map(({ sourceId }) => sourceId)).toEqual(['c1', 'c2', 'c3']);
  });

  test('a long message of repeated text is read', async () => {
    const long = { ...claudeChat, chat_messages: [{ uuid: 'm', sender: 'human', text: 'herons '.repeat(750_000) }] };
    expect(await readAll(zipOf({ 'conversations.json': [long] }))).toMatchObject([{ kind: 'chat' }]);
  });

  test('one encrypted attachment is left out, and the chats are read', async () => {
    const message = {
      content: { content_type: 'text', parts: ['Look'] },
      metadata: { attachments: [{ id: 'file-1', name: 'a.txt' }] },
    };
    const chat = gptConversation([
      { id: 'q', parent: null, children: [], message: { ...gptMessage('q', 'user', 'Look', message) } },
    ]);
    const zip = zipOf({ 'conversations.json': [chat], 'file-1-a.txt': 'secret' });
    const [first, second] = ['conversations.json', 'file-1-a.txt'].map((name) => zip.lastIndexOf(name) - 46);
    expect(first).not.toBe(second);
    zip.writeUInt16LE(1, second! + 8);
    expect(await readAll(zip)).toMatchObject([
      { kind: 'chat', losses: [{ what: 'file-protected', name: 'a.txt' }], messages: [{ files: [] }] },
    ]);
    zip.writeUInt16LE(1, first! + 8);
    expect(await refusalOf(zip)).toBe('encrypted');
  });

  test('a manifest of Claude, or a page of ChatGPT alone, says what to upload', async () => {
    const files = [{ category: 'conversations', export_url: 'https://a.org/x', filename: 'conversations-000.zip' }];
    expect(await refusalOf({ total_files: 1, data_files: files })).toBe('only-manifest');
    expect(await refusalOf(zipOf({ 'manifest-1.json': { total_files: 1, data_files: files } }))).toBe('only-manifest');
    expect(await refusalOf(zipOf({ 'chat.html': '<html></html>' }))).toBe('only-page');
    expect(await refusalOf('<html></html>')).toBe('not-an-export');
  });
});

describe('an export of ChatGPT in parts', () => {
  const shards = ['conversations-000.json', 'conversations-001.json', 'conversations-002.json'];
  const manifestOf = (files: readonly unknown[]) => ({
    version: 1,
    logical_files: { 'conversations.json': { files, shard_count: files.length, sharded: true } },
  });
  const exportOf = (second: unknown, folder = '') =>
    zipOf({
      [`${folder}export_manifest.json`]: manifestOf(shards),
      [`${folder}conversations-000.json`]: [numbered(1)],
      ...(second === null ? {} : { [`${folder}conversations-001.json`]: second }),
      [`${folder}conversations-002.json`]: [numbered(9)],
    });
  const told = async (content: Buffer) => {
    const opened = await open(content);
    const found = await allOf(opened);
    const chats = found.flatMap((chat) => (chat.kind === 'chat' ? chat.sourceId : []));
    const broken = found.flatMap((chat) => (chat.kind === 'broken' ? [[chat.reason, chat.title, chat.part]] : []));
    return { chats, broken, others: await opened.others() };
  };
  const tenChats = JSON.stringify(Array.from({ length: 10 }, (_, at) => numbered(at + 20)));
  const others = [{ kind: 'missing-parts', count: 1, names: ['conversations-001.json'] }];

  test.each(['', 'My export/'])('tells the number of a part that is missing (folder "%s")', async (folder) => {
    expect(await told(exportOf(null, folder))).toEqual({
      chats: ['c1', 'c9'],
      broken: [['part-missing', 'conversations-001.json', 2]],
      others,
    });
  });

  test.each([
    ['in its first chat', tenChats.slice(0, 500)],
    ['in its first bytes', tenChats.slice(0, 10)],
    ['to nothing', ''],
    ['to something else', 'x'],
  ])('tells the number of a part that is cut %s', async (_name, cut) => {
    expect(await told(exportOf(cut))).toEqual({
      chats: ['c1', 'c9'],
      broken: [['part-cut', 'conversations-001.json', 2]],
      others,
    });
  });

  test('reads the chats before the cut of a part', async () => {
    const { chats, broken } = await told(exportOf(tenChats.slice(0, -20)));
    expect(chats).toEqual(['c1', ...Array.from({ length: 9 }, (_, at) => `c${at + 20}`), 'c9']);
    expect(broken).toEqual([['part-cut', 'conversations-001.json', 2]]);
  });

  test('yields the chats before the cut in a truncated file without a manifest', async () => {
    const zip = zipOf({ 'conversations.json': tenChats.slice(0, -20) });
    expect((await told(zip)).chats).toHaveLength(9);
  });

  test('tells nothing where all parts are there, in one archive or in several', async () => {
    const whole = { chats: ['c1', 'c2', 'c9'], broken: [], others: [] };
    expect(await told(exportOf([numbered(2)]))).toEqual(whole);
    expect(await told(exportOf([]))).toEqual({ ...whole, chats: ['c1', 'c9'] });
    const second = upload(zipOf({ 'conversations-001.json': [numbered(2)] }));
    const opened = await openAll([upload(exportOf(null)), second]);
    expect((await allOf(opened)).map(({ sourceId }) => sourceId)).toEqual(['c1', 'c9', 'c2']);
  });

  test.each<[string, unknown]>([
    ['of another shape', { sites: [] }],
    ['without files', { logical_files: {} }],
    ['that is damaged', '{"logical_files":'],
    ['with files that are no names', manifestOf([7, null, {}])],
  ])('a manifest %s changes nothing', async (_name, manifest) => {
    const zip = zipOf({ 'export_manifest.json': manifest, 'conversations-000.json': [numbered(1)] });
    expect(await told(zip)).toEqual({ chats: ['c1'], broken: [], others: [] });
  });
});
