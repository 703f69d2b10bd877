import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LiveStream } from '@parley/platform/live-stream';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import { Reader, Writer } from './live-stream-harness.ts';
import type { TestServer } from './servers/test-server.ts';

export type OutageParts = {
  readonly name: string;
  readonly server: TestServer;
  readonly makeLive: () => Promise<LiveStream>;
  readonly flush: () => Promise<void>;
};

let live: LiveStream;
let other: LiveStream;
let stream: string;
let writer: Writer;
let reader: Reader;

/** What port LiveStream promises about its server: gone and back, or emptied, it delays frames and loses no text. */
export function describeLiveStreamOutages({ name, server, makeLive, flush }: OutageParts): void {
  describe(`live stream: ${name}`, () => {
    beforeEach(async () => {
      [live, other] = [await makeLive(), await makeLive()];
      stream = `gen:${randomUUID()}`;
      writer = new Writer(live, stream, 1);
      reader = new Reader();
      other.follow(stream, null, reader.take);
    });
    afterEach(() => Promise.all([live.close(), other.close()]));

    describeKilled(server, makeLive);
    describeFlushed(flush);
  });
}

/** A reader that comes now has the whole text. */
async function lateText(): Promise<string> {
  const late = new Reader();
  for (const frame of await other.read(stream, null)) late.take(frame);
  return late.text;
}

async function caughtUp(): Promise<void> {
  await eventually(() => reader.text === writer.text, 'the follower in the other process has the text');
  await eventually(async () => (await lateText()) === writer.text, 'a late reader has the text');
}

function describeKilled(server: TestServer, makeLive: () => Promise<LiveStream>): void {
  test('killed in the middle and back: frames go on, nothing of the text is lost', async () => {
    writer.write(10);
    await caughtUp();
    const killed = server.kill();
    for (let round = 0; round < 20; round += 1) {
      writer.write(2);
      await wait(10);
    }
    await killed;
    expect(writer.append('while away ')).toBe(true);
    expect(await other.read(stream, null)).toEqual([]);
    await server.restart();
    await caughtUp();
    writer.write(30);
    await caughtUp();
    const follower = new Reader();
    other.follow(stream, null, follower.take);
    await eventually(() => follower.text === writer.text, 'a late follower has the text');
  });

  test('back while nothing more is written: the follower gets the text and its end', async () => {
    writer.write(10);
    await caughtUp();
    await server.kill();
    writer.write(5);
    writer.append('', 'done');
    live.expire(stream, new Date(Date.now() + 60_000));
    await server.restart();
    await eventually(() => reader.frames.at(-1)?.end === 'done', 'the follower has the end');
    await caughtUp();
  });

  test('all was there, and nothing more is written: a late reader has the text and its end soon after the server is back', async () => {
    writer.write(10);
    writer.append('', 'done');
    live.expire(stream, new Date(Date.now() + 60_000));
    await caughtUp();
    await server.kill();
    await server.restart();
    await eventually(async () => (await other.read(stream, null)).at(-1)?.end === 'done', 'a late reader has the end');
    expect(await lateText()).toBe(writer.text);
  });

  test('a stream that begins while the server is away is there when it is back', async () => {
    await server.kill();
    const [fresh, begun] = [new Reader(), new Writer(live, `${stream}:fresh`, 1)];
    other.follow(`${stream}:fresh`, null, fresh.take);
    begun.write(5);
    await server.restart();
    await eventually(() => fresh.text === begun.text, 'the follower has the text');
  });

  test('a process that starts while the server is away writes and follows once it is there', async () => {
    await server.kill();
    const early = await makeLive();
    const [fresh, begun] = [new Reader(), new Writer(early, `${stream}:early`, 1)];
    early.follow(`${stream}:early`, null, fresh.take);
    begun.write(5);
    await server.restart();
    await eventually(() => fresh.text === begun.text, 'the follower has the text');
    await early.close();
  });

  test('an outrun process that missed the takeover is refused after the server is back', async () => {
    writer.write(5);
    await caughtUp();
    await server.kill();
    const second = new Writer(other, stream, 2);
    second.write(3);
    writer.write(3);
    await server.restart();
    await eventually(() => reader.text === second.text, 'the follower has the new text');
    second.write(3);
    await eventually(() => reader.text === second.text, 'the follower goes on with the new text');
    await eventually(() => !writer.append('too late '), 'the outrun process is refused');
    expect(reader.epoch).toBe(2);
    expect(await lateText()).toBe(second.text);
  });
}

function describeFlushed(flush: () => Promise<void>): void {
  test('emptied in the middle: the next frame brings the whole text back', async () => {
    writer.write(10);
    await caughtUp();
    await flush();
    writer.write(1);
    await caughtUp();
    writer.write(300);
    await caughtUp();
  });

  test('emptied again and again while frames are written', async () => {
    for (let round = 0; round < 30; round += 1) {
      writer.write(3);
      const flushed = round % 5 === 4 ? flush() : null;
      await wait(2);
      writer.write(3);
      await flushed;
    }
    writer.write(1);
    await caughtUp();
  });

  test('emptied between expiring and its time: written on, it stays', async () => {
    writer.write(3);
    live.expire(stream, new Date(Date.now() + 100));
    writer.write(1);
    await flush();
    writer.write(1);
    await wait(200);
    writer.write(1);
    await caughtUp();
  });
}
