import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { OrgId } from '@parley/protocol';
import { FakeSocket, installFakeSocket } from '../testing/fake-socket.ts';

const socket = installFakeSocket();
const { LiveConnection } = await import('./live-connection.ts');

let isOnline = true;
const network = (name: 'online' | 'offline') => {
  isOnline = name === 'online';
  window.dispatchEvent(new Event(name));
};

describe('the live connection', () => {
  let connection: InstanceType<typeof LiveConnection>;
  beforeEach(async () => {
    jest.useFakeTimers();
    jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
    socket.current = new FakeSocket();
    connection = new LiveConnection('org_1' as OrgId);
    await connection.start();
    socket.current.open();
  });
  afterEach(() => {
    network('online');
    connection.close();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('is live again once the network is, over the connection that was never closed', () => {
    network('offline');
    expect(connection.status).toBe('offline');
    jest.advanceTimersByTime(20_000);
    expect(connection.staleSince).not.toBeNull();
    network('online');
    expect([connection.status, connection.staleSince, socket.current.calls]).toEqual(['live', null, []]);
  });

  it('begins a new connection where the old one carries nothing any more', () => {
    socket.current.answers = false;
    network('offline');
    network('online');
    expect(connection.status).toBe('reconnecting');
    jest.advanceTimersByTime(1_500);
    expect(socket.current.calls).toEqual(['disconnect', 'connect']);
    socket.current.open();
    expect(connection.status).toBe('live');
  });

  it('tells each time it is not let in, for the session may have ended meanwhile', () => {
    let told = 0;
    connection.on('unreached', () => (told += 1));
    socket.current.drop('transport close');
    for (const _ of [1, 2]) socket.current.arrive('connect_error', new Error('websocket error'));
    expect(told).toBe(2);
  });

  it('keeps why the server does not let it in, which is no age of what is shown, until it does', () => {
    socket.current.drop('io server disconnect');
    const data = { status: 403, code: 'org.access-ended', detail: 'Lost laptop' };
    socket.current.arrive('connect_error', Object.assign(new Error('refused'), { data }));
    socket.current.arrive('connect_error', new Error('websocket error'));
    jest.advanceTimersByTime(20_000);
    expect([connection.refusal, connection.staleSince]).toEqual([data, null]);
    socket.current.open();
    expect(connection.refusal).toBeNull();
  });

  it('does not wait for the next try of its own when it is told to connect now', () => {
    socket.current.drop('transport close');
    expect([connection.status, socket.current.calls]).toEqual(['reconnecting', []]);
    connection.retryNow();
    expect(socket.current.calls).toEqual(['disconnect', 'connect']);
  });

  /** The server is there, and says so. */
  const beats = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 3) {
      jest.advanceTimersByTime(3_000);
      socket.current.onPacket();
    }
  };

  it('leaves a process that stands still within ten seconds', () => {
    beats(30);
    expect(socket.current.sent).toEqual([]);
    socket.current.answers = false;
    jest.advanceTimersByTime(10_000);
    expect(socket.current.calls).toEqual(['disconnect', 'connect']);
  });

  it('stays with one that is only slow', () => {
    jest.advanceTimersByTime(10_000);
    expect([socket.current.sent.length > 0, socket.current.calls, connection.status]).toEqual([true, [], 'live']);
  });

  it('shows that nothing is delivered for now, and asks for what failed meanwhile once it goes on', () => {
    let asked = 0;
    connection.on('connected', () => (asked += 1));
    socket.current.arrive('live.held', true);
    network('online');
    beats(12);
    expect([connection.status, asked, socket.current.calls]).toEqual(['reconnecting', 0, []]);
    socket.current.arrive('live.held', false);
    expect(connection.status).toBe('live');
    beats(3);
    expect(asked).toBe(1);
  });

  it('asks after a sleep of the machine, and not while it beats', () => {
    beats(60);
    expect(socket.current.sent).toEqual([]);
    jest.setSystemTime(Date.now() + 60_000);
    jest.advanceTimersByTime(2_000);
    expect(socket.current.sent.map(({ name }) => name)).toEqual(['live.check']);
  });
});
