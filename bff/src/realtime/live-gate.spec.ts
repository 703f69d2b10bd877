import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createKeyRing, TokenSigner } from '@parley/platform/crypto';
import { createLogger } from '@parley/platform/logging';
import { Peers } from '@parley/platform/peers';
import { RevocationFeed } from '@parley/platform/revocations';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { LiveGate } from './live-gate.ts';

describe('LiveGate', () => {
  let owner: Server;
  let peers: Peers;
  let feed: RevocationFeed;
  let gate: LiveGate;
  let isSilent = false;
  let sent: number[] = [];
  let cuts = 0;
  beforeEach(async () => {
    [isSilent, sent, cuts] = [false, [], 0];
    owner = createServer((_request, response) => {
      if (!isSilent) response.setHeader('content-type', 'application/json').end('{"items":[],"cursor":0}');
    });
    await new Promise<void>((resolve) => {
      owner.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(owner.address() as AddressInfo).port}`;
    const signer = await TokenSigner.create('bff', (await createKeyRing()).signing.bff.private);
    const logger = createLogger({ name: 'test', level: 'silent' });
    peers = new Peers({ deployable: 'bff', addressOf: async () => url, signer, logger });
    feed = new RevocationFeed({ peers, logger });
    await feed.start();
    gate = new LiveGate({ feed, tellHeld: () => undefined, closeAll: () => void (cuts += 1) });
  });
  afterEach(async () => {
    gate.close();
    feed.close();
    owner.closeAllConnections();
    owner.close();
    await peers.close();
  });

  const pass = (count: number): void => {
    for (let each = 0; each < count; each += 1) gate.pass(() => void sent.push(sent.length));
  };

  test('lets through at once while revocations are known, and holds back while nobody tells', async () => {
    pass(2);
    expect(sent).toEqual([0, 1]);
    isSilent = true;
    await wait(1_500);
    pass(2);
    await wait(1_000);
    expect([sent, cuts]).toEqual([[0, 1], 0]);
  });

  test('what was held goes on in order once somebody tells, before what comes after it', async () => {
    isSilent = true;
    await wait(1_500);
    const order: string[] = [];
    for (const name of ['one', 'two']) gate.pass(() => void order.push(name));
    isSilent = false;
    for (const deadline = Date.now() + 3_000; !feed.isFresh() && Date.now() < deadline;) await wait(1);
    gate.pass(() => void order.push('three'));
    for (const deadline = Date.now() + 3_000; order.length < 3 && Date.now() < deadline;) await wait(10);
    expect([order, cuts]).toEqual([['one', 'two', 'three'], 0]);
  });

  test('what is too much for memory cuts all sockets, too', async () => {
    isSilent = true;
    await wait(1_500);
    pass(20_001);
    expect([sent, cuts]).toEqual([[], 1]);
  });
});

describe('an outage', () => {
  let isFresh: boolean;
  let told: unknown[];
  let gate: LiveGate;
  beforeEach(() => {
    jest.useFakeTimers();
    [isFresh, told] = [true, []];
    gate = new LiveGate({
      feed: { isFresh: () => isFresh },
      tellHeld: (isHeld) => void told.push(isHeld ? 'held' : 'goes on'),
      closeAll: () => void told.push('all closed'),
    });
  });
  afterEach(() => {
    gate.close();
    jest.useRealTimers();
  });
  const lasts = (seconds: number): void => {
    isFresh = false;
    jest.advanceTimersByTime(seconds * 1_000);
  };

  test.each([10, 59])(
    'of %d s closes no socket: they are told, and have all of it before they are told that it goes on',
    (seconds) => {
      lasts(seconds);
      gate.pass(() => void told.push('a word'));
      expect(told).toEqual(['held']);
      isFresh = true;
      jest.advanceTimersByTime(200);
      expect(told).toEqual(['held', 'a word', 'goes on']);
    },
  );

  test('of less than a second is told to nobody', () => {
    lasts(0.9);
    isFresh = true;
    jest.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
  });

  test('of more than a minute closes all sockets once, and what was held is sent to nobody', () => {
    lasts(30);
    gate.pass(() => void told.push('a word'));
    lasts(31);
    expect(told).toEqual(['held', 'all closed']);
    isFresh = true;
    jest.advanceTimersByTime(1_000);
    expect(told).toEqual(['held', 'all closed', 'goes on']);
  });
});
