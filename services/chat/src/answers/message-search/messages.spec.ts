import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { isOnServer, testStore } from '@parley/testing';
import {
  ConversationAccess,
  ConversationsRepository,
  MessagePaths,
  MessagesRepository,
  ownedBy,
  searchKeysOf,
  searchScopeOf,
  type NewMessage,
  type Viewer,
} from '../../conversations/index.ts';
import { GenerationsRepository } from '../generations/index.ts';
import { searchOn } from '../../testing/search-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { MessagesService } from './messages.service.ts';
import { ShownMessages } from './shown-messages.ts';

const store = await testStore();
const { mongo, work, clock, ready } = store;
const conversations = new ConversationsRepository(mongo);
const rows = new MessagesRepository(mongo);
const access = new ConversationAccess(conversations);
const service = new MessagesService(
  rows,
  new ShownMessages(new GenerationsRepository(mongo)),
  access,
  new MessagePaths(mongo),
);
const { searching } = searchOn(store);
beforeAll(ready);

/** Creates a conversation of the viewer with a question for each text. */
async function converse(viewer: Viewer, ...texts: readonly string[]): Promise<ConversationId> {
  const { orgId } = viewer.scope;
  const now = clock.now();
  const conversation = {
    _id: newId('conversation'),
    orgId,
    ...ownedBy(viewer),
    title: `About ${texts[0]}`,
    sequence: texts.length,
    lastPosition: texts.length,
    lastAnswerId: null,
    lastRun: 1,
    running: null,
    isDeleted: false,
    deletedAt: null,
    createdAt: now,
    lastActivityAt: now,
    version: 1,
  };
  const questions = texts.map((text, index): NewMessage => {
    clock.advance(1_000);
    return {
      _id: newId('message'),
      orgId,
      conversationId: conversation._id,
      position: index + 1,
      sequence: index + 1,
      role: 'person',
      text,
      createdAt: clock.now(),
      author: { userId: viewer.principal.userId, name: viewer.principal.name },
      parentId: null,
      generationId: null,
      searchScope: searchScopeOf(conversation),
      searchKeys: searchKeysOf({ role: 'person', text }),
    };
  });
  await work.run(viewer.principal, async (tx) => {
    await conversations.create(viewer.scope, conversation, tx);
  });
  for (let from = 0; from < questions.length; from += 200)
    await work.run(viewer.principal, (tx) => rows.create(viewer.scope, questions.slice(from, from + 200), tx));
  return conversation._id;
}
const list = (viewer: Viewer, conversationId: ConversationId, query: object) =>
  service.list({ ...viewer, params: { conversationId }, query: { limit: 50, ...query } } as never);
const search = (viewer: Viewer, q: string, query: object = {}) =>
  searching.search({ ...viewer, query: { limit: 50, q, ...query } } as never);
const textsOf = (page: { items: readonly { text: string }[] }) => page.items.map(({ text }) => text);

const owner = aViewer();
const colleague = aViewer(owner.scope.orgId);
const elsewhere = aViewer(undefined, { userId: owner.principal.userId });

describe('listing the messages of a conversation', () => {
  test('returns the newest page first, each page in order, and whether there are older messages', async () => {
    const id = await converse(owner, 'one', 'two', 'three');
    const newest = await list(owner, id, { limit: 2 });
    expect([textsOf(newest), newest.hasOlder, newest.sequence]).toEqual([['two', 'three'], true, 3]);
    const oldest = await list(owner, id, { limit: 2, before: newest.items[0]!.position });
    expect([textsOf(oldest), oldest.hasOlder]).toEqual([['one'], false]);
  });

  test('returns messages that changed after a sequence in order of change, with the next cursor', async () => {
    const id = await converse(owner, 'one', 'two', 'three');
    const first = await list(owner, id, { after: 1, limit: 1 });
    expect([textsOf(first), first.sequence]).toEqual([['two'], 2]);
    const second = await list(owner, id, { after: first.sequence, limit: 5 });
    expect([textsOf(second), second.sequence]).toEqual([['three'], 3]);
  });

  test('finds changed messages by their sequence, without reading a long conversation whole', async () => {
    const id = await converse(owner, ...Array.from({ length: 1_100 }, (_, at) => `number ${at}`));
    expect(textsOf(await list(owner, id, { after: 1_098 }))).toEqual(['number 1098', 'number 1099']);
  });

  test('returns pages of at most 300 kB, without a gap in either direction', async () => {
    const id = await converse(owner, ...Array.from({ length: 60 }, (_, at) => `${at} ${'東'.repeat(30_000)}`));
    const sizeOf = ({ items }: { items: readonly object[] }) => Buffer.byteLength(JSON.stringify(items));
    const back: string[] = [];
    for (let before: number | undefined, isMore = true; isMore;) {
      const page = await list(owner, id, { before, limit: 50 });
      expect(sizeOf(page)).toBeLessThanOrEqual(300_000);
      back.unshift(...textsOf(page));
      [before, isMore] = [page.items[0]!.position, page.hasOlder];
    }
    const forth: string[] = [];
    for (let after = 0, isMore = true; isMore;) {
      const page = await list(owner, id, { after, limit: 100 });
      expect(sizeOf(page)).toBeLessThanOrEqual(300_000);
      forth.push(...textsOf(page));
      [after, isMore] = [page.sequence, page.hasNewer === true];
    }
    const numbers = Array.from({ length: 60 }, (_, at) => at);
    expect(back.map((text) => Number.parseInt(text, 10))).toEqual(numbers);
    expect(forth.map((text) => Number.parseInt(text, 10))).toEqual(numbers);
  });

  test('refuses to list messages for anyone but the owner', async () => {
    const id = await converse(owner, 'private');
    for (const viewer of [colleague, elsewhere])
      await expect(list(viewer, id, {})).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
  });

  test('finds a message by its id only in its own conversation and organisation', async () => {
    const [one, other] = [await converse(owner, 'here'), await converse(owner, 'there')];
    const id = (await list(owner, one, {})).items[0]!.id as MessageId;
    expect((await rows.find(owner.scope, { conversationId: one, id }))?.text).toBe('here');
    expect(await rows.find(owner.scope, { conversationId: other, id })).toBeNull();
    expect(await rows.find(elsewhere.scope, { conversationId: one, id })).toBeNull();
  });
});

describe('searching messages', () => {
  test("finds the person's messages that contain every word, newest first, with the conversation's title", async () => {
    const viewer = aViewer(owner.scope.orgId);
    await converse(viewer, 'otter and lynx', 'otter alone', 'lynx and otter again');
    const first = await search(viewer, 'Otter lynx', { limit: 1 });
    expect(first.items).toMatchObject([{ snippet: 'lynx and otter again', conversationTitle: 'About otter and lynx' }]);
    const second = await search(viewer, 'Otter lynx', { limit: 1, cursor: first.nextCursor });
    expect(second.items).toMatchObject([{ snippet: 'otter and lynx' }]);
  });

  test('finds no messages of colleagues or other organisations, and no deleted ones', async () => {
    const id = await converse(owner, 'walrus');
    expect((await search(owner, 'walrus')).items).toHaveLength(1);
    for (const viewer of [colleague, elsewhere]) expect((await search(viewer, 'walrus')).items).toEqual([]);
    const deletion = { visible: ownedBy(owner), id, now: clock.now(), eraseAt: clock.now() };
    await work.run(owner.principal, (tx) => conversations.delete(owner.scope, deletion, tx));
    expect((await search(owner, 'walrus')).items).toEqual([]);
  });

  test('finds the beginning of the last word, from three letters, with the other words in any order', async () => {
    const viewer = aViewer(owner.scope.orgId);
    await converse(viewer, 'penguins march', 'a pencil and a march', 'open march');
    const found = async (q: string) => (await search(viewer, q)).items.map(({ snippet }) => snippet);
    expect(await found('pen')).toEqual(['a pencil and a march', 'penguins march']);
    expect(await found('march pengu')).toEqual(['penguins march']);
    expect(await found('pencil mar')).toEqual(['a pencil and a march']);
    expect(await found('pe')).toEqual([]);
    expect(await found('penn')).toEqual([]);
  });

  test('finds words by their beginning, even if one of them is in many messages', async () => {
    const viewer = aViewer(owner.scope.orgId);
    await converse(viewer, ...Array.from({ length: 45 }, () => 'heron'), 'heronry', 'herons');
    const { items, nextCursor } = await search(viewer, 'hero', { limit: 3 });
    expect(items.map(({ snippet }) => snippet)).toEqual(['herons', 'heronry', 'heron']);
    expect((await search(viewer, 'hero', { limit: 50, cursor: nextCursor })).items).toHaveLength(44);
  });

  test('searches for at most fifty words with the same beginning', async () => {
    const viewer = aViewer(owner.scope.orgId);
    const words = Array.from({ length: 80 }, (_, at) => `walrus${100 + at}`);
    await converse(viewer, ...words);
    const { items } = await search(viewer, 'walrus', { limit: 100 });
    // SecantusDB doesn't use the index for this range of words, so messages don't come in its order and some are missed.
    if (isOnServer()) expect(items.length).toBeLessThanOrEqual(50);
    else expect(items).toHaveLength(50);
    expect((await search(viewer, 'walrus179')).items).toHaveLength(1);
  });

  test('pages through messages created at the same moment, each once', async () => {
    const viewer = aViewer(owner.scope.orgId);
    const conversationId = await converse(viewer, 'gannet', 'gannet', 'gannet');
    const stored = mongo.connection.collection('messages');
    await stored.updateMany({ conversationId }, { $set: { createdAt: clock.now() } });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await search(viewer, 'gannet', { limit: 1, cursor });
      seen.push(...page.items.map(({ messageId }) => messageId));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(3);
  });

  test('finds nothing without a word', async () => {
    await converse(owner, 'anything');
    expect(await search(owner, ' … ')).toEqual({ items: [], nextCursor: null });
  });
});
