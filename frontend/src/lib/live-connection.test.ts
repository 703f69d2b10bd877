import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { OrgId } from '@parley/contracts';

type Listener = (...given: unknown[]) => void;
/** What the library's socket does, as far as the connection asks it. */
let socket: {
  connected: boolean;
  listeners: Map<string, Listener>;
  sent: string[];
  calls: string[];
  /** Whether the other end still answers. */
  answers: boolean;
};
jest.unstable_mockModule('socket.io-client', () => ({
  io: () => {
    const fake = {
      get connected() {
        return socket.connected;
      },
      active: true,
      on: (name: string, listener: Listener) => socket.listeners.set(name, listener),
      connect: () => socket.calls.push('connect'),
      disconnect: () => {
        socket.calls.push('disconnect');
        if (socket.connected) drop('io client disconnect');
      },
      timeout: (ms: number) => ({
        emit: (name: string, ack: Listener) => {
          socket.sent.push(name);
          if (socket.answers) ack(null);
          else setTimeout(() => ack(new Error('timeout')), ms);
        },
      }),
    };
    return fake;
  },
}));
const { LiveConnection } = await import('./live-connection.ts');

const connect = () => {
  socket.connected = true;
  socket.listeners.get('connect')?.();
};
const drop = (reason: string) => {
  socket.connected = false;
  socket.listeners.get('disconnect')?.(reason);
};
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
    socket = { connected: false, listeners: new Map(), sent: [], calls: [], answers: true };
    connection = new LiveConnection('org_1' as OrgId);
    await connection.start();
    connect();
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
    expect([connection.status, connection.staleSince, socket.calls]).toEqual(['live', null, []]);
  });

  it('begins a new connection where the old one carries nothing any more', () => {
    socket.answers = false;
    network('offline');
    network('online');
    expect(connection.status).toBe('reconnecting');
    jest.advanceTimersByTime(1_500);
    expect(socket.calls).toEqual(['disconnect', 'connect']);
    connect();
    expect(connection.status).toBe('live');
  });

  it('does not wait for the next try of its own when it is told to connect now', () => {
    drop('transport close');
    expect([connection.status, socket.calls]).toEqual(['reconnecting', []]);
    connection.retryNow();
    expect(socket.calls).toEqual(['disconnect', 'connect']);
  });

  it('asks after a sleep of the machine, and not while it beats', () => {
    jest.advanceTimersByTime(60_000);
    expect(socket.sent).toEqual([]);
    jest.setSystemTime(Date.now() + 60_000);
    jest.advanceTimersByTime(2_000);
    expect(socket.sent).toEqual(['live.check']);
  });
});
