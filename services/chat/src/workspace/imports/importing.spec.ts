import { beforeAll, describe, expect, test } from '@jest/globals';
import { UnreadableExport, type BrokenChat } from '@parley/chat-exports';
import { importReport } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { aChat, aFile, aLine, began } from './chats.spec-setup.ts';
import { emptyReport } from './import.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { checked, imported, conversationsOf, pathOf, textsOf, onlyOne } = bench;

const broken: BrokenChat = { kind: 'broken', sourceId: 'b', title: 'Broken', reason: 'cycle' };

describe('a check', () => {
  test('counts what is in the export, what is here, and what can’t be imported', async () => {
    const viewer = aViewer();
    const known = aChat('known', aLine('k', ['q', 'a']));
    await imported(viewer, [known]);
    const losses = [{ messageId: 'n-1', what: 'file-not-in-export', name: 'plan.pdf' } as const];
    const fork = aLine('f', ['another q', 'another a']);
    bench.given.others = [{ kind: 'memories', count: 2, names: ['Likes herons'] }];
    const id = await checked(viewer, [
      known,
      broken,
      aChat('new', [...aLine('n', ['q', 'a', 'q', 'a']), ...fork], { losses }),
    ]);
    bench.given.others = [];
    expect(await bench.read(viewer, id)).toMatchObject({
      status: 'checked',
      source: 'chatgpt',
      losses: 2,
      report: {
        chats: { found: 3, toImport: 1, known: 1, grown: 0, deleted: 0, broken: 1 },
        messages: { found: 8, toImport: 6 },
        branches: { found: 1, toImport: 1 },
        files: { found: 1, toImport: 0, missing: 1, unsupported: 0 },
        others: [{ kind: 'memories', count: 2, names: ['Likes herons'] }],
      },
    });
    expect(await bench.lossesOf(viewer, id)).toEqual([
      { chatTitle: 'Broken', reason: 'cycle', name: null, conversationId: null, messageId: null },
      { chatTitle: 'About new', reason: 'file-not-in-export', name: 'plan.pdf', conversationId: null, messageId: null },
    ]);
    await bench.start(viewer, id);
    await bench.turn(viewer, id);
    const [, lost] = await bench.lossesOf(viewer, id);
    const { items } = await pathOf(viewer, lost!.conversationId!, { leaf: lost!.messageId! });
    expect(items[0]!.id).toBe(lost!.messageId);
  });

  test('counts chats without messages apart from those that can’t be read', async () => {
    const viewer = aViewer();
    const empty = { ...broken, sourceId: 'e', title: 'New chat', reason: 'no-messages' } as const;
    const id = await checked(viewer, [
      empty,
      broken,
      { ...empty, sourceId: 'f' },
      aChat('said', aLine('s', ['q', 'a'])),
    ]);
    const { report, losses } = await bench.read(viewer, id);
    expect(losses).toBe(3);
    expect(report!.chats).toEqual({ found: 4, toImport: 1, known: 0, grown: 0, deleted: 0, empty: 2, broken: 1 });
  });

  test('leaves a report that was stored without a count of empty chats readable: it has none', () => {
    const { chats, ...others } = emptyReport();
    const { empty: _, ...older } = chats;
    expect(importReport.parse({ ...others, chats: { ...older, broken: 2 } }).chats).toEqual({ ...chats, broken: 2 });
  });

  test('tells a part of the export that is missing, and imports the other chats', async () => {
    const viewer = aViewer();
    const part: BrokenChat = {
      ...broken,
      sourceId: null,
      title: 'conversations-001.json',
      reason: 'part-missing',
      part: 2,
    };
    bench.given.others = [{ kind: 'missing-parts', count: 1, names: [] }];
    const id = await checked(viewer, [aChat('there', aLine('t', ['q', 'a'])), part]);
    bench.given.others = [];
    const { report } = await bench.read(viewer, id);
    expect(report).toMatchObject({ chats: { found: 1, broken: 0 }, others: [{ kind: 'missing-parts', count: 1 }] });
    expect(await bench.lossesOf(viewer, id)).toMatchObject([
      { chatTitle: 'conversations-001.json', reason: 'part-missing', name: '2' },
    ]);
    await bench.start(viewer, id);
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 1, imported: { chats: 1 } });
  });

  test('of something else says why, and frees its storage', async () => {
    const viewer = aViewer();
    bench.given.failure = new UnreadableExport('encrypted');
    const id = await checked(viewer, []);
    bench.given.failure = null;
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'failed', failure: 'encrypted' });
    expect(await bench.used(viewer)).toBe(0);
    const { orgId } = viewer.scope;
    const told = (await bench.recorded()).filter(({ tenantid }) => tenantid === orgId);
    expect(told.map(({ type }) => type)).not.toContain('import.finished.v1');
  });
});

describe('an import', () => {
  test('puts what was archived into the archive, where nothing is pinned', async () => {
    const viewer = aViewer();
    await imported(viewer, [
      aChat('herons', aLine('h', ['herons', 'About herons']), { isPinned: true, isArchived: true }),
    ]);
    expect(await conversationsOf(viewer)).toEqual([]);
    const [archived] = await conversationsOf(viewer, 'archived');
    expect(archived).toMatchObject({ archived: true });
    expect(archived).not.toHaveProperty('pinned');
  });

  test('keeps times, titles, models, branches, pins and the open branch, and is marked', async () => {
    const viewer = aViewer();
    const other = aLine('o', ['storks', 'About storks']);
    const messages = [...aLine('h', ['herons', 'About herons', 'nests', 'About nests']), ...other];
    const id = await imported(viewer, [aChat('herons', messages, { openId: 'h-4', isPinned: true })]);
    expect(await bench.read(viewer, id)).toMatchObject({
      status: 'done',
      imported: { chats: 1, messages: 6, branches: 1, files: 0 },
      progress: null,
    });
    const [conversation] = await conversationsOf(viewer);
    expect(conversation).toMatchObject({
      title: 'About herons',
      imported: { source: 'chatgpt' },
      pinned: true,
      running: false,
      createdAt: new Date(began).toISOString(),
      lastActivityAt: new Date(began + 86_400_000).toISOString(),
    });
    expect(conversation).not.toHaveProperty('unread');
    expect(conversation).not.toHaveProperty('archived');
    const { items, versions } = await pathOf(viewer, conversation!.id);
    expect(items.map(({ text }) => text)).toEqual(['herons', 'About herons', 'nests', 'About nests']);
    expect(items[0]).toMatchObject({
      imported: true,
      createdAt: new Date(began).toISOString(),
      author: { userId: viewer.principal.userId },
    });
    expect(items[1]).toMatchObject({
      imported: true,
      author: null,
      generation: { status: 'done', model: { label: 'gpt-4o' }, usage: null },
    });
    expect(versions).toEqual([{ parentId: null, ids: [items[0]!.id, expect.stringMatching(/^msg_/)] }]);
    const [, storks] = versions[0]!.ids;
    expect(await textsOf(viewer, conversation!.id, { through: storks })).toEqual(['storks', 'About storks']);
  });

  test('publishes one event per conversation, none per message, and its end with counts', async () => {
    const viewer = aViewer();
    await imported(viewer, [aChat('one', aLine('o', ['q', 'a'])), aChat('two', aLine('t', ['q', 'a']))]);
    const { orgId } = viewer.scope;
    const told = (await bench.recorded()).filter(
      ({ type, tenantid }) => tenantid === orgId && type !== 'imports.changed.v1',
    );
    expect(told.map(({ type }) => type)).toEqual([
      'conversation.imported.v1',
      'conversation.imported.v1',
      'import.finished.v1',
    ]);
    expect(told[2]!.data).toMatchObject({ outcome: 'done', source: 'chatgpt', chats: 2, messages: 4 });
    expect(JSON.stringify(told)).not.toContain('About');
  });

  test('asks on under an imported answer like in any chat', async () => {
    const viewer = aViewer();
    await imported(viewer, [aChat('herons', aLine('h', ['herons', 'About herons']))]);
    const { id: conversationId } = await onlyOne(viewer);
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    const sent = await bench.sending.send(viewer, { conversationId, ...ids, text: 'And storks?' });
    await bench.end(viewer, sent, 'About storks');
    expect(await textsOf(viewer, conversationId)).toEqual(['herons', 'About herons', 'And storks?', 'About storks']);
    const [question] = (await pathOf(viewer, conversationId)).items.slice(2);
    expect(question).not.toHaveProperty('imported');
  });

  test('gives a question without an answer an empty one, so that it can be asked again', async () => {
    const viewer = aViewer();
    await imported(viewer, [aChat('open', aLine('o', ['q', 'a', 'left alone']))]);
    const { id } = await onlyOne(viewer);
    const { items } = await pathOf(viewer, id);
    expect(items.at(-1)).toMatchObject({ text: '', generation: { status: 'stopped', model: { label: 'ChatGPT' } } });
    expect(items).toHaveLength(4);
  });

  test('stores files, and lists those that don’t fit', async () => {
    const viewer = aViewer();
    const [question, answer] = aLine('f', ['q', 'a']);
    const files = [aFile('plan.txt', 'Thirty herons.'), aFile('plan.exe', 'x'), aFile('empty.txt', '')];
    const id = await imported(viewer, [aChat('files', [{ ...question!, files }, answer!])]);
    const { id: conversation } = await onlyOne(viewer);
    const { items } = await pathOf(viewer, conversation);
    expect(items[0]!.files).toEqual([
      { id: expect.stringMatching(/^fil_/), name: 'plan.txt', mediaType: 'text/plain', bytes: 14, use: 'whole' },
    ]);
    const losses = await bench.lossesOf(viewer, id);
    expect(losses.map(({ reason, name }) => [reason, name])).toEqual([
      ['file-type-not-supported', 'plan.exe'],
      ['file-damaged', 'empty.txt'],
    ]);
    expect(losses[0]!.messageId).toBe(items[0]!.id);
    expect(await bench.read(viewer, id)).toMatchObject({ losses: 2, imported: { files: 1 } });
  });

  test('one broken chat is skipped, and only that one', async () => {
    const viewer = aViewer();
    const id = await imported(viewer, [broken, aChat('whole', aLine('w', ['q', 'a']))]);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 1 }, losses: 1 });
    expect(await conversationsOf(viewer)).toHaveLength(1);
  });
});

describe('importing again', () => {
  test('adds only what is new, as branches under the messages that it follows', async () => {
    const viewer = aViewer();
    const old = aLine('h', ['herons', 'About herons']);
    await imported(viewer, [aChat('herons', old)]);
    const { id } = await onlyOne(viewer);
    const more = aLine('m', ['nests', 'About nests'], 'h-2');
    const version = aLine('v', ['herons?', 'About herons!']);
    const second = await imported(viewer, [aChat('herons', [...old, ...more, ...version])]);
    expect(await bench.read(viewer, second)).toMatchObject({
      report: { chats: { grown: 1, toImport: 0 }, messages: { toImport: 4 }, branches: { toImport: 1 } },
      imported: { chats: 0, messages: 4, branches: 1 },
    });
    const { items, versions } = await pathOf(viewer, id);
    expect(items.map(({ text }) => text)).toEqual(['herons', 'About herons', 'nests', 'About nests']);
    expect(versions[0]!.ids).toHaveLength(2);
    const third = await imported(viewer, [aChat('herons', [...old, ...more, ...version])]);
    expect(await bench.read(viewer, third)).toMatchObject({
      report: { chats: { known: 1 } },
      imported: { messages: 0 },
    });
    expect(await conversationsOf(viewer)).toHaveLength(1);
  });

  test('changes and moves nothing that was written here, nor while an answer is written', async () => {
    const viewer = aViewer();
    const old = aLine('h', ['herons', 'About herons']);
    await imported(viewer, [aChat('herons', old)]);
    const { id: conversationId } = await onlyOne(viewer);
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    const sent = await bench.sending.send(viewer, { conversationId, ...ids, text: 'mine' });
    await imported(viewer, [aChat('herons', [...old, ...aLine('m', ['theirs', 'About theirs'], 'h-2')])]);
    await bench.end(viewer, sent, 'my answer');
    expect(await textsOf(viewer, conversationId)).toEqual(['herons', 'About herons', 'mine', 'my answer']);
    const { versions } = await pathOf(viewer, conversationId);
    expect(versions[0]!.ids).toHaveLength(2);
  });

  test('leaves out what was deleted here: a message with all below, and a whole chat unless it is wanted', async () => {
    const viewer = aViewer();
    const old = aLine('h', ['herons', 'About herons', 'nests', 'About nests']);
    await imported(viewer, [aChat('herons', old)]);
    const { id: conversationId } = await onlyOne(viewer);
    const { items } = await pathOf(viewer, conversationId);
    await bench.deleting.delete({ ...viewer, params: { conversationId, messageId: items[2]!.id } } as never);
    const more = [...old, ...aLine('m', ['more', 'About more'], 'h-4')];
    await imported(viewer, [aChat('herons', more)]);
    expect(await textsOf(viewer, conversationId)).toEqual(['herons', 'About herons']);
    await bench.keeping.delete({ ...viewer, params: { conversationId } } as never);
    const again = await imported(viewer, [aChat('herons', more)]);
    expect(await bench.read(viewer, again)).toMatchObject({ report: { chats: { deleted: 1, toImport: 0 } } });
    expect(await conversationsOf(viewer)).toEqual([]);
    await imported(viewer, [aChat('herons', more)], true);
    const [fresh] = await conversationsOf(viewer);
    expect(fresh!.id).not.toBe(conversationId);
    expect(await textsOf(viewer, fresh!.id)).toHaveLength(6);
  });

  test('of Parley’s own export knows the conversation by its id', async () => {
    const viewer = aViewer();
    await imported(viewer, [aChat('herons', aLine('h', ['q', 'a']))]);
    const { id } = await onlyOne(viewer);
    bench.given.source = 'parley';
    const own = await imported(viewer, [aChat(id, aLine('x', ['q', 'a']))]);
    const elsewhere = aViewer();
    await imported(elsewhere, [aChat(id, aLine('x', ['q', 'a']))]);
    bench.given.source = 'chatgpt';
    expect(await bench.read(viewer, own)).toMatchObject({ report: { chats: { known: 1 } }, imported: { chats: 0 } });
    expect((await conversationsOf(elsewhere)).map((one) => one.id)).toEqual([expect.not.stringMatching(id)]);
  });
});
