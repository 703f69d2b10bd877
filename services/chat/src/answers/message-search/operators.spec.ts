import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ConversationId, MessageFile, ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { TestJobs } from '@parley/testing';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import { searchOn } from '../../testing/search-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { SearchedMessages, searchKeysOf, type NewMessage, type Viewer } from '../../conversations/index.ts';
import { fillSearchKeys, FillSearchKeys, messagesToFill } from './fill-search-keys.ts';

const bench = await chatBench();
const { mongo, clock } = bench;
const { searching } = searchOn(bench);
const messages = mongo.connection.collection<Stored>('messages');
beforeAll(bench.ready);

type Stored = Omit<NewMessage, 'files'> & { readonly files?: readonly MessageFile[] };
type Said = { readonly text: string; readonly files?: readonly MessageFile[]; readonly at?: string };
const fileOf = (name: string, mediaType: string) =>
  ({ id: newId('file'), name, mediaType, bytes: 1, use: 'whole' }) as unknown as MessageFile;

/** Creates a chat of the viewer that begins with its own question, and adds these messages. */
async function chat(viewer: Viewer, said: readonly (Said & { readonly role?: 'assistant' })[]) {
  const { conversation, answer } = await bench.ask(viewer, { text: 'first' });
  await bench.end(viewer, { answer });
  const row = await messages.findOne({ conversationId: conversation.id });
  const rows = said.map(({ text, files, at, role = 'person' as const }, index) => ({
    _id: newId('message'),
    orgId: viewer.scope.orgId,
    conversationId: conversation.id,
    position: 10 + index,
    sequence: 10 + index,
    role,
    text,
    createdAt: at ? new Date(at) : new Date(clock.now().getTime() + index * 1_000),
    author: row!.author,
    parentId: null,
    generationId: null,
    ...(files && { files: [...files] }),
    searchScope: row!.searchScope,
    searchKeys: searchKeysOf({ role, text, files: files && [...files] }),
  }));
  await messages.insertMany(rows);
  return conversation.id;
}
async function project(viewer: Viewer, name: string, ...chats: readonly ConversationId[]): Promise<ProjectId> {
  const _id = newId('project');
  const row = { _id, ...viewer.scope, ownerId: viewer.principal.userId, name };
  await mongo.connection.collection('projects').insertOne(row as never);
  for (const id of chats)
    await mongo.connection.collection('conversations').updateOne({ _id: id } as never, { $set: { projectId: _id } });
  return _id;
}
const search = (viewer: Viewer, q: string, query: object = {}, by = searching) =>
  by.search({ ...viewer, query: { limit: 50, q, ...query } } as never);
const found = async (viewer: Viewer, q: string, query: object = {}) =>
  (await search(viewer, q, query)).items.map(({ snippet }) => snippet);

describe('search operators', () => {
  test('finds messages by author and attachment, with words and alone', async () => {
    const viewer = aViewer();
    await chat(viewer, [
      { text: 'osprey plan', files: [fileOf('plan.pdf', 'application/pdf')] },
      { text: 'osprey photo', files: [fileOf('osprey.png', 'image/png')] },
      { text: 'osprey alone' },
      { text: '', files: [fileOf('notes.md', 'text/markdown')] },
      { text: 'osprey answer', role: 'assistant' },
    ]);
    expect(await found(viewer, 'has:file')).toEqual(['notes.md', 'osprey photo', 'osprey plan']);
    expect(await found(viewer, 'ospr has:image')).toEqual(['osprey photo']);
    expect(await found(viewer, 'osprey from:chatbot')).toEqual(['osprey answer']);
    expect(await found(viewer, 'osprey from:me has:file')).toEqual(['osprey photo', 'osprey plan']);
    expect(await found(viewer, 'from:me')).toEqual([
      'notes.md',
      'osprey alone',
      'osprey photo',
      'osprey plan',
      'first',
    ]);
    expect(await found(viewer, 'from:chatbot has:file')).toEqual([]);
  });

  test('never finds operators as words, or words as operators', async () => {
    const viewer = aViewer();
    await chat(viewer, [{ text: 'plain', files: [fileOf('a.png', 'image/png')] }, { text: 'file image me chatbot' }]);
    expect(await found(viewer, 'image')).toEqual(['file image me chatbot']);
    expect(await found(viewer, 'chatb')).toEqual(['file image me chatbot']);
    expect(await found(viewer, 'has:image')).toEqual(['plain']);
  });

  test('limits the time by days in the time zone of the person who searches', async () => {
    const viewer = aViewer();
    await chat(viewer, [
      { text: 'osprey late', at: '2026-10-31T23:30:00Z' },
      { text: 'osprey early', at: '2026-10-31T22:30:00Z' },
    ]);
    expect(await found(viewer, 'osprey after:2026-11-01', { zone: 'Europe/Berlin' })).toEqual(['osprey late']);
    expect(await found(viewer, 'osprey before:2026-11-01', { zone: 'Europe/Berlin' })).toEqual(['osprey early']);
    expect(await found(viewer, 'osprey before:2026-11-01')).toEqual(['osprey late', 'osprey early']);
    expect(await found(viewer, 'after:2026-10-31 before:2026-11-01')).toEqual(['osprey late', 'osprey early']);
    const first = await search(viewer, 'osprey after:2026-10-31 before:2026-11-01', { limit: 1 });
    const second = await search(viewer, 'osprey after:2026-10-31 before:2026-11-01', {
      limit: 1,
      cursor: first.nextCursor,
    });
    expect(second.items.map(({ snippet }) => snippet)).toEqual(['osprey early']);
  });

  test('lists invalid operators as ignored, and searches for the rest', async () => {
    const viewer = aViewer();
    await chat(viewer, [{ text: 'osprey' }]);
    const { items, ignored } = await search(viewer, 'osprey has:x in:Nowhere before:2026-02-30');
    expect(items).toHaveLength(1);
    expect(ignored).toEqual([
      { operator: 'has:x', reason: 'unknown-value' },
      { operator: 'before:2026-02-30', reason: 'impossible-date' },
      { operator: 'in:Nowhere', reason: 'unknown-project' },
    ]);
    expect(await search(viewer, 'has:x')).toEqual({
      items: [],
      nextCursor: null,
      ignored: [{ operator: 'has:x', reason: 'unknown-value' }],
    });
  });
});

describe('searching in a project', () => {
  test('finds messages of the project’s chats, by any case of its name, and in all projects of this name', async () => {
    const viewer = aViewer();
    const [one, two] = [await chat(viewer, [{ text: 'osprey one' }]), await chat(viewer, [{ text: 'osprey two' }])];
    await chat(viewer, [{ text: 'osprey outside' }]);
    await project(viewer, 'Café "plans"', one);
    expect(await found(viewer, 'osprey in:"cafe plans"')).toEqual(['osprey one']);
    expect(await found(viewer, 'in:"CAFÉ plans" after:2020-01-01')).toContain('osprey one');
    await project(viewer, 'Cafe plans', two);
    expect(new Set(await found(viewer, 'osprey in:"cafe plans"'))).toEqual(new Set(['osprey one', 'osprey two']));
  });

  test('finds nothing in a colleague’s project of the same name', async () => {
    const viewer = aViewer();
    const colleague = aViewer(viewer.scope.orgId);
    await project(viewer, 'Work', await chat(viewer, [{ text: 'osprey' }]));
    expect((await search(colleague, 'osprey in:Work')).ignored).toEqual([
      { operator: 'in:Work', reason: 'unknown-project' },
    ]);
  });

  test('reads a limited number of messages per page, reports that it continues, and reads on to the end', async () => {
    const viewer = aViewer();
    const inside = await chat(viewer, [{ text: 'osprey inside', at: '2020-01-01T00:00:00Z' }]);
    await chat(
      viewer,
      Array.from({ length: 25 }, () => ({ text: 'osprey outside' })),
    );
    await project(viewer, 'Work', inside);
    const bounded = searchOn(bench, { page: 10, step: 4 }).searching;
    const read = jest.spyOn(SearchedMessages.prototype, 'places');
    const first = await search(viewer, 'osprey in:Work', {}, bounded);
    expect(first).toMatchObject({ items: [], goesOn: true });
    const limits = read.mock.calls.map(([, , { limit }]) => limit);
    expect(limits).toEqual([4, 4, 2]);
    const second = await search(viewer, 'osprey in:Work', { cursor: first.nextCursor }, bounded);
    expect(second).toMatchObject({ items: [], goesOn: true });
    const third = await search(viewer, 'osprey in:Work', { cursor: second.nextCursor }, bounded);
    expect(third).toMatchObject({ items: [{ snippet: 'osprey inside' }], nextCursor: null });
    expect(third).not.toHaveProperty('goesOn');
    jest.restoreAllMocks();
  });

  test('returns each hit once, even if pages fill up in the middle of a step', async () => {
    const viewer = aViewer();
    const texts = Array.from({ length: 9 }, (_, at) => ({ text: `osprey ${at}` }));
    await project(viewer, 'Work', await chat(viewer, texts));
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await search(
        viewer,
        'osprey in:Work',
        { limit: 2, cursor },
        searchOn(bench, { page: 10, step: 5 }).searching,
      );
      seen.push(...page.items.map(({ snippet }) => snippet));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(texts.map(({ text }) => text).toReversed());
  });
});

describe('messages of earlier versions', () => {
  test('a job that continues after a kill adds operator keys to old messages, and searches report it', async () => {
    const viewer = aViewer();
    const { searching: fresh, filling } = searchOn(bench);
    const said = Array.from({ length: 230 }, (_, at) => ({
      text: `walrus ${at}`,
      files: [fileOf('a.png', 'image/png')],
    }));
    const conversationId = await chat(viewer, said);
    await messages.updateMany({ conversationId }, {
      $pull: { searchKeys: { $in: [':me', ':file', ':image', ':chatbot'] } },
    } as never);
    const before = await messages.find({ conversationId }).toArray();
    expect(before.flatMap(({ searchKeys }) => searchKeys).some((one) => one.startsWith(':'))).toBe(false);
    while ((await messagesToFill.batch(mongo, null)) !== null);
    expect(await search(viewer, 'has:image', {}, fresh)).toEqual({ items: [], nextCursor: null, isFilling: true });
    expect(await search(viewer, 'walrus from:me', {}, fresh)).not.toHaveProperty('isFilling');

    const batches = jest.spyOn(bench.messages, 'afterId');
    const runner = new FillSearchKeys(bench.messages, bench.outbox.jobs.rows, bench.work);
    let left = 2;
    const killed = {
      run: (...[input, run]: Parameters<FillSearchKeys['run']>) =>
        runner.run(input, Object.assign(run, { progressed: () => killAfter() })),
    };
    const killAfter = () => {
      left -= 1;
      if (left === 0) throw new Error('killed');
    };
    clock.advance(4_000_000_000);
    const jobs = new TestJobs(bench).with(fillSearchKeys, killed);
    await jobs.run();
    const reached = batches.mock.calls.at(-1)![1].after;
    expect(reached).not.toBeNull();
    clock.advance(120_000);
    batches.mockClear();
    await jobs.run();
    expect(batches.mock.calls[0]![1].after! > reached!).toBe(true);
    expect(await filling.goesOn()).toBe(false);
    const page = await search(viewer, 'has:image', { limit: 300 }, fresh);
    expect(page.items).toHaveLength(230);
    expect(page).not.toHaveProperty('isFilling');
    const after = await messages.find({ conversationId }).toArray();
    expect(after.every(({ searchKeys }) => new Set(searchKeys).size === searchKeys.length)).toBe(true);
    jest.restoreAllMocks();
  });
});
