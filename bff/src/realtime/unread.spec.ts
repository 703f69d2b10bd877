import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { Socket } from 'socket.io';
import { UnreadBounds } from './unread.ts';

let bounds: UnreadBounds;
beforeEach(() => {
  bounds = new UnreadBounds(250);
});
afterEach(() => bounds.close());

/** As engine.io has one: what is written is handed over at once while its client reads, and waits otherwise. */
function connection({ reads = true } = {}) {
  let isCut = false;
  const conn = Object.assign(new EventEmitter(), {
    transport: { writable: reads },
    request: { socket: { destroy: () => ((isCut = true), conn.emit('close')) } },
  });
  bounds.watch(conn as unknown as Socket['conn']);
  return {
    /** Takes what waits, and no more. */
    takes(): void {
      conn.emit('flush');
    },
    write(characters: number): void {
      conn.emit('packetCreate', { data: 'x'.repeat(characters) });
      if (conn.transport.writable) conn.emit('flush');
    },
    get isCut() {
      return isCut;
    },
  };
}

test('clients that leave most unread are cut until the rest is little enough together', () => {
  const stuck = [90, 30, 80, 70, 60].map((characters) => ({ characters, of: connection({ reads: false }) }));
  const reading = connection();
  for (const { characters, of } of stuck) of.write(characters);
  for (let count = 0; count < 9; count += 1) reading.write(90);
  bounds.look();
  expect(stuck.map(({ of }) => of.isCut)).toEqual([true, false, false, false, false]);
  expect(reading.isCut).toBe(false);
});

test('characters that were handed over count until the system has taken them', () => {
  const slow = connection({ reads: false });
  slow.write(200);
  slow.takes();
  slow.write(100);
  bounds.look();
  expect(slow.isCut).toBe(true);
});

test('a client that has read everything is not cut, however much that was', () => {
  const all = [connection(), connection(), connection(), connection()];
  for (const each of all) each.write(90);
  bounds.look();
  expect(all.map(({ isCut }) => isCut)).toEqual([false, false, false, false]);
});
