import { describe, expect, jest, test } from '@jest/globals';
import { liveStreamOf, type GenerationFrame } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { Socket as NodeSocket } from 'node:net';
import { conversationRoom } from './stream-followers.ts';
import { aMember, anAnswer, aTab, clients, connect, grant, live, outcomeOf, sockets } from './sockets.spec-setup.ts';

describe('one socket takes little', () => {
  test('it opens chats one after the other, and closes one after it was opened', async () => {
    const tab = await aTab();
    const { conversationId, ids } = anAnswer();
    grant(tab, conversationId);
    await tab.open(conversationId);
    const allAsked = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    const read = jest.spyOn(live, 'read').mockImplementation(async () => {
      most = Math.max(most, (running += 1));
      await allAsked.promise;
      running -= 1;
      return [];
    });
    const stream = { generationId: ids.generationId, epoch: 1, seq: 0 };
    const asks = Array.from({ length: 20 }, () => tab.open(conversationId, stream));
    tab.socket.emit('conversation.close', { conversationId });
    // The server answers it when it has got all before it.
    await tab.socket.emitWithAck('live.check');
    allAsked.resolve();
    const acks = await Promise.all(asks);
    expect([acks.every(({ ok }) => ok), most, read.mock.calls.length]).toEqual([true, 1, 20]);
    read.mockRestore();
    await eventually(() => !sockets.io.of('/').adapter.rooms.has(conversationRoom(conversationId)), 'it is closed');
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

  test('a process that ends loses its tabs in a way after which they come back', async () => {
    const { socket } = await aTab();
    const lost = new Promise((resolve) => void socket.once('disconnect', resolve));
    sockets.drain();
    // The server closes the transport: clients don't come back after `io server disconnect`.
    expect(await lost).toBe('transport close');
    expect(sockets.openCount).toBe(0);
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
