import { describe, expect, jest, test } from '@jest/globals';
import { liveStreamOf, type GenerationFrame } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { Socket as NodeSocket } from 'node:net';
import { aMember, anAnswer, aTab, clients, connect, grant, live, outcomeOf, sockets } from './sockets.spec-setup.ts';

describe('one socket takes little', () => {
  test('asks for a stream that come while it is replayed share one more replay', async () => {
    const tab = await aTab();
    const { conversationId, ids } = anAnswer();
    grant(tab, conversationId);
    await tab.open(conversationId);
    const allAsked = Promise.withResolvers<void>();
    const read = jest.spyOn(live, 'read').mockImplementation(async () => (await allAsked.promise, []));
    const asks = Array.from({ length: 100 }, () =>
      tab.open(conversationId, { generationId: ids.generationId, epoch: 1, seq: 0 }),
    );
    // Too many to be let in, the last ones are answered before the replay ends.
    await Promise.all(asks.slice(40));
    allAsked.resolve();
    const acks = await Promise.all(asks);
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
    expect(acks.filter(({ ok }) => ok)).toHaveLength(40);
    expect(acks.at(-1)).toMatchObject({ problem: { code: 'platform.rate-limited' } });
  });

  test('an answer that chat does not name is not followed', async () => {
    const tab = await aTab();
    const { conversationId, ids } = anAnswer();
    grant(tab, conversationId);
    const follow = jest.spyOn(live, 'follow');
    for (let count = 0; count < 20; count += 1) {
      const madeUp = { generationId: newId('generation'), epoch: 0, seq: 0 };
      expect(await tab.open(conversationId, madeUp)).toMatchObject({ generationId: ids.generationId });
    }
    expect(follow.mock.calls.map(([stream]) => stream)).toEqual([liveStreamOf(conversationId, ids.generationId)]);
    follow.mockRestore();
  });

  test('a reader that does not read is cut; one that does gets it all', async () => {
    const [stuck, reader] = [await aTab(), await aTab()];
    const connection = (stuck.socket.io.engine.transport as unknown as { ws: { _socket: NodeSocket } }).ws._socket;
    connection.pause();
    const said: GenerationFrame = [newId('generation'), 1, 1, 0, 'x'.repeat(100_000)];
    // The system takes some megabytes of it.
    for (let count = 1; count <= 300; count += 1) {
      sockets.io.emit('generation.frame', said);
      await eventually(() => reader.frames.length === count, 'the reader has it');
    }
    await eventually(() => sockets.openCount === 1, 'the other one is cut');
    connection.resume();
    await eventually(() => !stuck.socket.connected, 'the client knows');
    stuck.socket.connect();
    expect(await outcomeOf(stuck.socket)).toBe('connected');
  });

  test('a person has a hundred of them, and one more when one is gone', async () => {
    const { session } = aMember();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcomeOf(connect({ session }))));
    expect(new Set(outcomes)).toEqual(new Set(['connected']));
    expect(await outcomeOf(connect({ session }))).toBe('429');
    expect(await outcomeOf(connect({ session: aMember().session }))).toBe('connected');
    clients[0]!.disconnect();
    await eventually(() => sockets.openCount === 100, 'one is gone');
    expect(await outcomeOf(connect({ session }))).toBe('connected');
  });
});
