import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DamagedContent, type BrokenChat, type ReadChat, type ReadFile, type ReadMessage } from '@parley/chat-exports';
import type { ImportId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aChat, aFile, aLine } from './chats.spec-setup.ts';

const bench = await importBench();
beforeAll(bench.ready);
afterEach(() => {
  jest.restoreAllMocks();
  bench.given.onChat = async () => undefined;
});
const { checked, conversationsOf, pathOf, textsOf } = bench;

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Given = {
  readonly chat: ReadChat | BrokenChat;
  readonly texts: readonly string[] | null;
  readonly files: string[];
};

const brokenFile = (name: string): ReadFile => ({
  name,
  bytes: 5,
  open: () => Promise.reject(new DamagedContent('Changed.')),
});

/** Some chats of questions and answers, some of them without words, with a file here and there. */
function aHistory(random: () => number, { faults }: { readonly faults: boolean }): Given[] {
  const isSo = (chance: number) => random() < chance;
  return Array.from({ length: 6 }, (_, at): Given => {
    const id = `c${at}`;
    if (faults && isSo(0.2))
      return { chat: { kind: 'broken', sourceId: id, title: id, reason: 'damaged' }, texts: null, files: [] };
    const texts = Array.from({ length: 2 + 2 * Math.floor(random() * 14) }, (_none, index) =>
      isSo(0.3) ? '👍' : `${id} says ${index}`,
    );
    const files: string[] = [];
    const messages = aLine(id, texts).map((message): ReadMessage => {
      if (message.role === 'assistant' || !isSo(0.2)) return message;
      const name = `${message.sourceId}.txt`;
      if (faults && isSo(0.5)) return { ...message, files: [brokenFile(name)] };
      files.push(name);
      return { ...message, files: [aFile(name, name)] };
    });
    // Its text is none: whatever writes it fails for a reason that nobody has thought of.
    if (faults && isSo(0.2)) {
      const index = Math.floor(random() * messages.length);
      messages[index] = { ...messages[index]!, text: null as never };
      return { chat: aChat(id, messages), texts: null, files: [] };
    }
    return { chat: aChat(id, messages), texts, files };
  });
}

/** Turns of workers, and the job beside them, until the import wants none; each may break off. */
async function untilItEnds(viewer: Viewer, id: ImportId): Promise<void> {
  for (let turns = 0; turns < 200; turns += 1) {
    const { status } = await bench.read(viewer, id);
    if (status !== 'checking' && status !== 'importing') return;
    await bench.turn(viewer, id).catch(() => undefined);
    await bench.quota.deletePending().catch(() => undefined);
    bench.clock.advance(120_000);
  }
}

async function expectWhole(viewer: Viewer, given: readonly Given[]): Promise<void> {
  const whole = given.filter(({ texts }) => texts !== null);
  const found = await conversationsOf(viewer);
  expect(found.map(({ title }) => title).toSorted()).toEqual(whole.map(({ chat }) => chat.title ?? '').toSorted());
  for (const { chat, texts, files } of whole) {
    const { id } = found.find(({ title }) => title === chat.title)!;
    expect(await textsOf(viewer, id)).toEqual(texts);
    const { items } = await pathOf(viewer, id);
    expect(items.flatMap((item) => (item.files ?? []).map(({ name }) => name))).toEqual(files);
  }
}

const chatsOf = (given: readonly Given[]) => given.map(({ chat }) => chat);

describe('an import', () => {
  test.each([1, 4, 6, 8])('with faults in its content leaves out these and no more: seed %i', async (seed) => {
    const viewer = aViewer();
    const given = aHistory(dice(seed), { faults: true });
    const id = await checked(viewer, chatsOf(given));
    await bench.start(viewer, id);
    await untilItEnds(viewer, id);
    await bench.uploads.tidy();
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done' });
    await expectWhole(viewer, given);
    const losses = await bench.lossesOf(viewer, id);
    for (const { chat, texts } of given)
      if (texts === null)
        expect(losses).toContainEqual(expect.objectContaining({ chatTitle: chat.title, conversationId: null }));
  });

  test.each([11, 12, 13, 14])('on a store that fails again and again brings all: seed %i', async (seed) => {
    const viewer = aViewer();
    const random = dice(seed);
    const given = aHistory(random, { faults: false });
    const id = await checked(viewer, chatsOf(given));
    await bench.start(viewer, id);
    failingStore(random);
    await untilItEnds(viewer, id);
    jest.restoreAllMocks();
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 0, imported: { chats: 6 } });
    await expectWhole(viewer, given);
  });

  test('waits while the store is away for hours, checking or importing, and goes on', async () => {
    const viewer = aViewer();
    const given = aHistory(dice(21), { faults: false });
    const id = await bench.uploaded(viewer, chatsOf(given));
    for (const status of ['checking', 'importing'] as const) {
      if (status === 'checking') await bench.check(viewer, id);
      else await bench.start(viewer, id);
      bench.given.onChat = () => Promise.reject(away());
      for (let turns = 0; turns < 100; turns += 1) {
        await bench.turn(viewer, id).catch(() => undefined);
        bench.clock.advance(120_000);
      }
      bench.given.onChat = async () => undefined;
      expect(await bench.read(viewer, id)).toMatchObject({ status });
      await untilItEnds(viewer, id);
    }
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 0, imported: { chats: 6 } });
    await expectWhole(viewer, given);
  });

  test('is paused where the organisation’s storage is full, and brings each file once there is room', async () => {
    const viewer = aViewer();
    const given = aHistory(dice(11), { faults: false });
    const id = await checked(viewer, chatsOf(given));
    await bench.start(viewer, id);
    const stored = jest.spyOn(bench.quota, 'check').mockRejectedValue(new Problem('chat.storage-quota-reached'));
    await untilItEnds(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'paused', failure: 'over-quota', losses: 0 });
    stored.mockRestore();
    await bench.resume(viewer, id);
    await untilItEnds(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 0, imported: { chats: 6 } });
    await expectWhole(viewer, given);
  });
});

const away = (): Error => Object.assign(new Error('The storage is away.'), { code: 'ECONNRESET' });

/** From now on some calls fail, before or after they have done something, and some while of calls all of them. */
function failingStore(random: () => number): void {
  let outage = 0;
  const act = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (outage === 0 && random() < 0.05) outage = 1 + Math.floor(random() * 12);
    const isAway = outage > 0;
    if (isAway) outage -= 1;
    if (isAway && random() < 0.5) throw away();
    const result = await call();
    if (isAway) throw away();
    return result;
  };
  const { work, blobs, conversations, messages } = bench;
  const [run, put, range] = [work.run.bind(work), blobs.put.bind(blobs), blobs.getRange.bind(blobs)];
  const [find, existing] = [conversations.find.bind(conversations), messages.existing.bind(messages)];
  jest.spyOn(work, 'run').mockImplementation(((...given: Parameters<typeof run>) => act(() => run(...given))) as never);
  jest.spyOn(blobs, 'put').mockImplementation((...given) => act(() => put(...given)));
  jest.spyOn(blobs, 'getRange').mockImplementation((...given) => act(() => range(...given)));
  jest.spyOn(conversations, 'find').mockImplementation((...given) => act(() => find(...given)));
  jest.spyOn(messages, 'existing').mockImplementation((...given) => act(() => existing(...given)));
  bench.given.onChat = () => act(async () => undefined);
}
