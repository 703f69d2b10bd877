import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import type { ExportAttempt } from './export-attempt.ts';
import { eraseExport, exportsToJobs, writeExport } from './export-jobs.ts';
import { eraseAtOf } from './export.ts';
import { exportsBench } from './exports-bench.spec-setup.ts';

const bench = await exportsBench();
const { aChat, blobsOf, clock, create, exported, list, remove, run } = bench;
beforeAll(bench.ready);
beforeEach(() => {
  bench.rights.of = () => ['chat:read'];
});

describe('an export that breaks off', () => {
  test('an export begins again, and fails after three attempts', async () => {
    const viewer = aViewer();
    await aChat(viewer);
    const { id } = await create(viewer);
    bench.rights.of = () => new Error('org is away');
    for (let attempt = 1; attempt < writeExport.attempts; attempt += 1) {
      await run();
      expect(await bench.find(viewer, id)).toMatchObject({ status: 'waiting', attempts: attempt });
      clock.advance(writeExport.pauseMs(attempt));
    }
    await run();
    expect(await list(viewer)).toMatchObject([{ status: 'failed', failure: 'interrupted' }]);
    await remove(viewer, id);
  });

  test('an export waits without losing an attempt when its process is ended in order', async () => {
    const viewer = aViewer();
    await aChat(viewer);
    await create(viewer);
    const { count } = bench.content;
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<number>();
    bench.content.count = () => {
      reached.resolve();
      return held.promise;
    };
    const process = bench.aProcess();
    await process.look();
    await reached.promise;
    const ended = process.end();
    bench.content.count = count;
    held.resolve(1);
    await ended;
    expect(await list(viewer)).toMatchObject([{ status: 'waiting' }]);
    await run();
    expect(await list(viewer)).toMatchObject([{ status: 'ready', chats: 1 }]);
    expect(blobsOf(viewer)).toHaveLength(1);
  });

  test('the next process writes the export of a killed one, and erases what that one left', async () => {
    const viewer = aViewer();
    await aChat(viewer);
    const { id } = await create(viewer);
    // Killed after the ZIP was stored, before the export was ready.
    const reached = Promise.withResolvers<void>();
    const finish = () => {
      reached.resolve();
      return new Promise(() => undefined);
    };
    const dying = bench.aProcess(Object.assign(bench.anAttempt() as object, { finish }) as unknown as ExportAttempt);
    await dying.look();
    await reached.promise;
    expect(blobsOf(viewer)).toHaveLength(1);
    await expect(create(viewer)).rejects.toMatchObject({ code: 'chat.export-running' });
    clock.advance(writeExport.leaseMs);
    await run();
    expect(await list(viewer)).toMatchObject([{ id, status: 'ready' }]);
    await remove(viewer, id);
    expect([blobsOf(viewer).length, await bench.used(viewer)]).toEqual([0, 0]);
  });

  test('an export that is deleted while it is written leaves nothing', async () => {
    const viewer = aViewer();
    await aChat(viewer);
    const { id } = await create(viewer);
    const { count } = bench.content;
    bench.content.count = async (who) => {
      await remove(viewer, id);
      return count.call(bench.content, who);
    };
    await run();
    bench.content.count = count;
    expect([await list(viewer), blobsOf(viewer).length]).toEqual([[], 0]);
    clock.advance(eraseExport.leaseMs);
    await run();
    expect(await bench.rowsLeft(viewer)).toBe(0);
    expect((await create(viewer)).id).not.toBe(id);
  });
});

test('exports of an earlier version are written, and erased in their time', async () => {
  const [waiting, kept] = [aViewer(), aViewer()];
  await aChat(waiting);
  const { id } = await create(waiting);
  await exported(kept);
  await bench.mongo.connection.collection('jobs').deleteMany({});
  for (const migration of [...exportsToJobs, ...exportsToJobs])
    for (let cursor: string | null = null, at = 0; at === 0 || cursor !== null; at += 1)
      cursor = await migration.batch(bench.mongo, cursor);
  await run();
  expect(await list(waiting)).toMatchObject([{ id, status: 'ready', chats: 1 }]);
  clock.advance(eraseAtOf(clock.now()).getTime() - clock.now().getTime());
  await run();
  expect([await list(kept), blobsOf(kept).length]).toEqual([[], 0]);
});
