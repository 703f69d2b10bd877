import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ImportId } from '@parley/contracts';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { aChat, aLine } from './chats.spec-setup.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { checked, conversationsOf, textsOf } = bench;

/** Six turns that may break off, each when its time has come. */
async function failing(viewer: Viewer, id: ImportId): Promise<void> {
  for (let turns = 0; turns < 6; turns += 1) {
    await bench.turn(viewer, id).catch(() => undefined);
    bench.clock.advance(120_000);
  }
}

describe('a killed import', () => {
  const chats = () =>
    Array.from({ length: 3 }, (_, at) =>
      aChat(
        `c${at}`,
        aLine(
          `c${at}`,
          Array.from({ length: 50 }, (_none, index) => `text ${at} ${index}`),
        ),
      ),
    );

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('after its write %i goes on where it was', async (writes) => {
    const viewer = aViewer();
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    let left = writes;
    const keep = bench.imports.keep.bind(bench.imports);
    const spy = jest.spyOn(bench.imports, 'keep').mockImplementation(async (...given) => {
      // The process is gone: nothing that it wants to write is written.
      if (left <= 0) throw new Error('killed');
      left -= 1;
      return keep(...given);
    });
    await bench.turn(viewer, id).catch(() => undefined);
    spy.mockRestore();
    const seen = await conversationsOf(viewer);
    for (const { id: conversation } of seen) expect(await textsOf(viewer, conversation)).toHaveLength(50);
    bench.clock.advance(60_000);
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({
      status: 'done',
      imported: { chats: 3, messages: 150, branches: 0 },
    });
    const all = await conversationsOf(viewer);
    expect(all.map(({ title }) => title).toSorted()).toEqual(['About c0', 'About c1', 'About c2']);
    for (const { id: conversation } of all) expect(await textsOf(viewer, conversation)).toHaveLength(50);
  });
});

describe('a running import', () => {
  test('is paused after its chat, goes on, and is stopped for good', async () => {
    const viewer = aViewer();
    const id = await checked(
      viewer,
      [1, 2, 3].map((at) => aChat(`p${at}`, aLine(`p${at}`, ['q', 'a']))),
    );
    await bench.start(viewer, id);
    bench.given.onChat = async (at) => void (at === 0 && (await bench.pause(viewer, id)));
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'paused', progress: { chats: 1, of: 3 } });
    await bench.resume(viewer, id);
    bench.given.onChat = async (at) => void (at === 1 && (await bench.stop(viewer, id)));
    await bench.turn(viewer, id);
    bench.given.onChat = async () => undefined;
    await bench.uploads.tidy();
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'stopped', imported: { chats: 2 }, expiresAt: null });
    expect(await conversationsOf(viewer)).toHaveLength(2);
  });

  test('is one per person, and one worker’s', async () => {
    const viewer = aViewer();
    const first = await checked(viewer, [aChat('one', aLine('o', ['q', 'a']))]);
    const second = await checked(viewer, [aChat('one', aLine('o', ['q', 'a']))]);
    await bench.start(viewer, first);
    await bench.start(viewer, second);
    bench.given.onChat = async () => {
      bench.given.onChat = async () => undefined;
      await Promise.all([bench.turn(viewer, first), bench.turn(viewer, second)]);
      expect((await bench.read(viewer, second)).status).toBe('importing');
    };
    await bench.turn(viewer, first);
    await bench.turn(viewer, second);
    expect(await conversationsOf(viewer)).toHaveLength(1);
    expect(await bench.read(viewer, second)).toMatchObject({ status: 'done', imported: { chats: 0 } });
  });

  test('is started once, however often and from wherever that is asked', async () => {
    const viewer = aViewer();
    const id = await checked(viewer, [aChat('one', aLine('o', ['q', 'a']))]);
    const started = await Promise.all([bench.start(viewer, id), bench.start(viewer, id)]);
    expect(started.map(({ status }) => status)).toEqual(['importing', 'importing']);
    await Promise.all([bench.turn(viewer, id), bench.turn(viewer, id)]);
    expect(await bench.start(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 1 } });
    expect(await conversationsOf(viewer)).toHaveLength(1);
  });

  test('is paused where the disk is full, says so, and goes on once there is room', async () => {
    const viewer = aViewer();
    const id = await checked(
      viewer,
      [1, 2].map((at) => aChat(`f${at}`, aLine(`f${at}`, ['q', 'a']))),
    );
    await bench.start(viewer, id);
    bench.given.onChat = async (at) => {
      if (at === 1) throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' });
    };
    await failing(viewer, id);
    bench.given.onChat = async () => undefined;
    expect(await bench.read(viewer, id)).toMatchObject({
      status: 'paused',
      failure: 'storage-full',
      imported: { chats: 1 },
    });
    await bench.resume(viewer, id);
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', failure: null, imported: { chats: 2 } });
  });

  test('lists a chat that fails again and again, and imports the others', async () => {
    const viewer = aViewer();
    const id = await checked(
      viewer,
      [1, 2, 3].map((at) => aChat(`e${at}`, aLine(`e${at}`, ['q', 'a']))),
    );
    await bench.start(viewer, id);
    bench.given.onChat = async (at) => {
      if (at === 1) throw new Error('unexpected');
    };
    await failing(viewer, id);
    bench.given.onChat = async () => undefined;
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 1, imported: { chats: 2 } });
    expect(await bench.lossesOf(viewer, id)).toMatchObject([{ reason: 'internal' }]);
  });

  test('fails where its upload can’t be opened, and keeps what was imported', async () => {
    const viewer = aViewer();
    const id = await checked(
      viewer,
      [1, 2].map((at) => aChat(`g${at}`, aLine(`g${at}`, ['q', 'a']))),
    );
    await bench.start(viewer, id);
    bench.given.onChat = async (at) => void (at === 0 && (await bench.pause(viewer, id)));
    await bench.turn(viewer, id);
    bench.given.onChat = async () => undefined;
    await bench.resume(viewer, id);
    bench.given.failure = new Error('unexpected');
    await failing(viewer, id);
    bench.given.failure = null;
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'failed', failure: 'internal' });
    expect(await conversationsOf(viewer)).toHaveLength(1);
  });

  test('ends well although its workers are killed again and again', async () => {
    const viewer = aViewer();
    const id = await checked(viewer, [aChat('k', aLine('k', ['q', 'a']))]);
    await bench.start(viewer, id);
    for (let kills = 0; kills < 20; kills += 1) {
      const row = await bench.imports.own(viewer.scope, { id, userId: viewer.principal.userId });
      // Its process is gone.
      await bench.imports.claim(viewer.scope, row, { holder: `w${kills}` });
    }
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', losses: 0, imported: { chats: 1 } });
  });

  test('whose upload was deleted under it writes nothing more', async () => {
    const viewer = aViewer();
    const id = await checked(
      viewer,
      [1, 2].map((at) => aChat(`d${at}`, aLine(`d${at}`, ['q', 'a']))),
    );
    await bench.start(viewer, id);
    bench.given.onChat = async (at) => void (at === 1 && (await bench.drop(viewer, id)));
    await bench.turn(viewer, id);
    bench.given.onChat = async () => undefined;
    await expect(bench.read(viewer, id)).rejects.toMatchObject({ code: 'chat.import-not-found' });
    expect(await conversationsOf(viewer)).toHaveLength(1);
    expect(await bench.used(viewer)).toBe(0);
  });
});

describe('an import that has failed', () => {
  const chats = () => [aChat('r1', aLine('r1', ['q', 'a'])), aChat('r2', aLine('r2', ['q', 'a']))];

  test('keeps its upload, and is started again without another one', async () => {
    const viewer = aViewer();
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    bench.given.failure = new Error('unexpected');
    await failing(viewer, id);
    bench.given.failure = null;
    await bench.uploads.tidy();
    const failed = await bench.read(viewer, id);
    expect(failed).toMatchObject({ status: 'failed', failure: 'internal', expiresAt: expect.any(String) });
    await bench.start(viewer, id);
    await bench.turn(viewer, id);
    await bench.uploads.tidy();
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 2 }, expiresAt: null });
    expect(await bench.used(viewer)).toBe(0);
    const told = (await bench.recorded()).filter(
      ({ type, tenantid }) => type === 'import.finished.v1' && tenantid === viewer.scope.orgId,
    );
    expect(told.map(({ data }) => data)).toMatchObject([{ outcome: 'done' }]);
  });

  test('is checked again where it failed at that', async () => {
    const viewer = aViewer();
    const id = await bench.uploaded(viewer, chats());
    bench.given.failure = new Error('unexpected');
    await bench.check(viewer, id);
    await failing(viewer, id);
    bench.given.failure = null;
    expect(await bench.check(viewer, id)).toMatchObject({ status: 'checking', failure: null });
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'checked' });
  });

  test('can be started again if an earlier version failed it and its upload is still stored', async () => {
    const viewer = aViewer();
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    const set = { status: 'failed', failure: 'internal', isSettling: true, isWanted: false, isRunning: false } as const;
    await bench.imports.change(viewer.scope, { id, set });
    await bench.uploads.tidy();
    await bench.start(viewer, id);
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 2 } });
  });

  test('loses its upload after seven days, and can’t be started again then', async () => {
    const viewer = aViewer();
    const id = await checked(viewer, chats());
    await bench.start(viewer, id);
    bench.given.failure = new Error('unexpected');
    await failing(viewer, id);
    bench.given.failure = null;
    bench.clock.advance(7 * 86_400_000);
    await bench.uploads.tidy();
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'failed', expiresAt: null });
    await expect(bench.start(viewer, id)).rejects.toMatchObject({ code: 'platform.conflict' });
    expect(await bench.used(viewer)).toBe(0);
  });
});
