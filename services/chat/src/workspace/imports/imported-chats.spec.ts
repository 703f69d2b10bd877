import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { aChat, aLine } from './chats.spec-setup.ts';
import { conversationIdOf } from './imported-chats.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { checked, imported, conversationsOf, textsOf } = bench;
const line = ['herons', 'About herons'];

test('a person imports the same export into each of their organisations, once into each', async () => {
  const here = aViewer();
  const there = aViewer(undefined, { userId: here.principal.userId });
  const chats = [aChat('herons', aLine('h', line))];
  for (const viewer of [here, there, here, there]) await imported(viewer, chats);
  const [mine, other] = [await conversationsOf(here), await conversationsOf(there)];
  expect([mine.length, other.length]).toEqual([1, 1]);
  expect(other[0]!.id).not.toBe(mine[0]!.id);
  expect([await textsOf(here, mine[0]!.id), await textsOf(there, other[0]!.id)]).toEqual([line, line]);
});

test('two people of an organisation import the same export, each for themselves', async () => {
  const one = aViewer();
  const other = aViewer(one.scope.orgId);
  for (const viewer of [one, other]) await imported(viewer, [aChat('herons', aLine('h', line))]);
  expect([(await conversationsOf(one)).length, (await conversationsOf(other)).length]).toEqual([1, 1]);
});

describe('a worker whose import another one takes over in the middle of a chat', () => {
  test('writes no message after the takeover', async () => {
    const viewer = aViewer();
    const { userId } = viewer.principal;
    const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`);
    const id = await checked(viewer, [aChat('long', aLine('l', texts))]);
    await bench.start(viewer, id);
    const conversationId = conversationIdOf(viewer.scope, { userId, source: 'chatgpt' }, { chat: 'long', round: 0 });
    const written = () => bench.messages.page(viewer.scope, conversationId, { before: undefined, limit: 100 });
    const existing = bench.stored.existing.bind(bench.stored);
    const looks = jest.spyOn(bench.stored, 'existing').mockImplementation(async (...asked) => {
      const there = await existing(...asked);
      if (looks.mock.calls.length === 2) {
        const row = await bench.imports.own(viewer.scope, { id, userId });
        const lease = { holder: newId('event'), until: new Date(bench.clock.now().getTime() + 60_000) };
        expect(await bench.imports.claim(viewer.scope, row, lease)).not.toBeNull();
      }
      return there;
    });
    await bench.turn(viewer, id);
    looks.mockRestore();
    expect(await written()).toHaveLength(20);
    bench.clock.advance(60_001);
    await bench.turn(viewer, id);
    expect((await written()).map(({ text }) => text)).toEqual(texts);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 1, messages: 50 } });
  });
});
