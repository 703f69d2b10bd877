import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { ReadingPlaces } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { exportedChat } from './export-format.ts';
import { exportsBench } from './exports-bench.spec-setup.ts';

const bench = await exportsBench();
const { aChat, ask, exportOne } = bench;
beforeAll(bench.ready);

const read = async (...given: Parameters<typeof exportOne>) => {
  const { name, text } = await exportOne(...given);
  return { name, chat: exportedChat.parse(JSON.parse(text)) };
};

/** Two branches: `first` and what follows, and `edited` in its place, which is open. */
async function branched() {
  const viewer = aViewer();
  const first = await aChat(viewer, { text: 'Where are herons?' }, 'In the **marsh**.');
  const conversationId = first.conversation.id;
  const second = await aChat(viewer, { conversationId, parentId: first.answer.id, text: 'And storks?' }, 'On roofs.');
  const edited = await aChat(viewer, { conversationId, parentId: null, text: 'Where are cranes?' }, 'In the north.');
  return { viewer, conversationId, first, second, edited };
}

describe('one chat as JSON', () => {
  test('has all branches in the order of creation, and says which one is open', async () => {
    const { viewer, conversationId, first, second, edited } = await branched();
    const { name, chat } = await read(viewer, conversationId, 'json');
    expect(name).toBe('Where are herons.json');
    expect(chat).toMatchObject({ id: conversationId, title: 'Where are herons?', openMessageId: edited.answer.id });
    expect(chat.messages.map(({ id, parentId }) => [id, parentId])).toEqual([
      [first.message.id, null],
      [first.answer.id, first.message.id],
      [second.message.id, first.answer.id],
      [second.answer.id, second.message.id],
      [edited.message.id, null],
      [edited.answer.id, edited.message.id],
    ]);
    expect(chat.messages[0]).toMatchObject({ role: 'person', author: { name: viewer.principal.name }, files: [] });
    expect(chat.messages[1]).toMatchObject({ role: 'assistant', text: 'In the **marsh**.', model: expect.any(String) });
  });

  test('leaves out what was deleted, with all that follows', async () => {
    const { viewer, conversationId, first, edited } = await branched();
    await bench.deleting.delete({ ...viewer, params: { conversationId, messageId: first.answer.id } } as never);
    const { chat } = await read(viewer, conversationId, 'json');
    expect(chat.messages.map(({ id }) => id)).toEqual([first.message.id, edited.message.id, edited.answer.id]);
  });

  test('names files without including them', async () => {
    const viewer = aViewer();
    const id = await bench.readyFile(viewer, ['Thirty herons.']);
    const { conversation } = await aChat(viewer, { files: [{ id, use: 'auto' }] });
    const { chat } = await read(viewer, conversation.id, 'json');
    expect(chat.messages[0]!.files).toEqual([{ id, name: 'Plan.txt', mediaType: 'text/plain', bytes: 14, path: null }]);
  });

  test('says of an answer that is being written that there may be more of it', async () => {
    const viewer = aViewer();
    const { conversation } = await ask(viewer);
    const { chat } = await read(viewer, conversation.id, 'json');
    expect(chat.messages.map(({ unfinished }) => unfinished)).toEqual([undefined, true]);
    expect((await exportOne(viewer, conversation.id, 'markdown')).text).toContain('still being written');
  });

  test('of more messages than one page has has each of them once', async () => {
    const viewer = aViewer();
    let last = await aChat(viewer, { text: 'Question 0' }, 'Answer 0');
    const { id: conversationId } = last.conversation;
    for (let at = 1; at < 25; at += 1)
      last = await aChat(viewer, { conversationId, parentId: last.answer.id, text: `Question ${at}` }, `Answer ${at}`);
    const { chat } = await read(viewer, conversationId, 'json');
    const all = Array.from({ length: 25 }, (_unused, at) => [`Question ${at}`, `Answer ${at}`]).flat();
    expect(chat.messages.map(({ text }) => text)).toEqual(all);
    const { text } = await exportOne(viewer, conversationId, 'markdown');
    expect(text.match(/^(?:Question|Answer) \d+$/gm)).toEqual(all);
  });
});

describe('one chat as Markdown', () => {
  test('has the path that is open, with who said what and when', async () => {
    const { viewer, conversationId, first, edited } = await branched();
    const { name, text } = await exportOne(viewer, conversationId, 'markdown');
    expect(name).toBe('Where are herons.md');
    expect(text).toContain('# Where are herons?\n\nCreated: 20');
    expect(text).toMatch(
      new RegExp(String.raw`## ${viewer.principal.name} · \d{4}-\d\d-\d\d \d\d:\d\d UTC\n\nWhere are cranes\?`),
    );
    expect(text).toContain('In the north.');
    expect(text).not.toContain('storks');
    const conversation = (await bench.conversations.find(viewer.scope, conversationId))!;
    const { placeVersion: version } = await bench.open.find(viewer, conversation, {});
    const place = { conversationId, userId: viewer.principal.userId, leafId: first.message.id, version };
    await bench.work.run(viewer.principal, (tx) => new ReadingPlaces(bench.mongo).move(viewer.scope, place, tx));
    expect((await exportOne(viewer, conversationId, 'markdown')).text).toContain('And storks?');
    const shown = await exportOne(viewer, conversationId, 'markdown', edited.answer.id);
    expect([shown.text.includes('In the north.'), shown.text.includes('storks')]).toEqual([true, false]);
  });

  test('numbers its sources, and is in the language of its person', async () => {
    const viewer = aViewer(undefined, { locale: 'de' });
    const asked = await ask(viewer);
    const citation = { number: 1, documentId: newId('document'), chunkId: newId('chunk'), documentName: 'Birds [2]' };
    const place = { kind: 'page', number: 4 } as const;
    await bench.end(viewer, asked, { text: 'Three [1].', citations: [{ ...citation, heading: 'Herons', place }] });
    const { text } = await exportOne(viewer, asked.conversation.id, 'markdown');
    expect(text).toContain('**Quellen**\n\n1. Birds \\[2\\] – Herons (Seite 4)');
  });

  test('closes a block of code that an answer left open', async () => {
    const viewer = aViewer();
    const { conversation } = await aChat(viewer, {}, 'See:\n```ts\nconst a = 1;');
    expect((await exportOne(viewer, conversation.id, 'markdown')).text).toContain('const a = 1;\n```\n');
  });
});

test('a chat of somebody else, a deleted one and one that is not there are not found', async () => {
  const viewer = aViewer();
  const { conversation } = await aChat(viewer);
  const missing = { code: 'chat.conversation-not-found' };
  await expect(exportOne(aViewer(viewer.scope.orgId), conversation.id, 'json')).rejects.toMatchObject(missing);
  await expect(exportOne(aViewer(), conversation.id, 'json')).rejects.toMatchObject(missing);
  await expect(exportOne(viewer, newId('conversation'), 'json')).rejects.toMatchObject(missing);
  await bench.keeping.delete({ ...viewer, params: { conversationId: conversation.id } } as never);
  await expect(exportOne(viewer, conversation.id, 'markdown')).rejects.toMatchObject(missing);
});
