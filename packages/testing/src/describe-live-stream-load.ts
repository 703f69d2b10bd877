import { test } from '@jest/globals';
import type { LiveStream } from '@parley/platform/live-stream';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from './eventually.ts';

const streams = 100;
const framesPerSecond = 25;
const seconds = 4;
const words = 'three or four words';

/**
 * 100 answers at 25 frames a second from one process to another. Both live in this one, so its CPU is that of writing
 * and following.
 */
export function describeLiveStreamLoad(
  name: string,
  makeLive: () => Promise<LiveStream>,
  serverCpuSeconds: () => Promise<number>,
): void {
  test(`live stream: ${name}: ${streams} streams at ${framesPerSecond} frames a second arrive whole`, async () => {
    const [writer, reader] = [await makeLive(), await makeLive()];
    const names = Array.from({ length: streams }, () => `gen:${randomUUID()}`);
    const writtenAt = new Map<string, number>();
    const ages: number[] = [];
    for (const stream of names)
      reader.follow(stream, null, (frame) =>
        ages.push(performance.now() - (writtenAt.get(`${stream}/${frame.seq}`) ?? Number.NaN)),
      );
    await wait(200);
    const [cpuBefore, serverBefore, begunAt] = [process.cpuUsage(), await serverCpuSeconds(), performance.now()];
    const total = framesPerSecond * seconds;
    const writeAll = async (stream: string, at: number): Promise<void> => {
      await wait((at / streams) * (1000 / framesPerSecond));
      for (let seq = 1; seq <= total; seq += 1) {
        writtenAt.set(`${stream}/${seq}`, performance.now());
        writer.append(stream, { epoch: 1, seq, offset: (seq - 1) * words.length, delta: words });
        await wait(
          Math.max(
            0,
            begunAt + (seq * 1000) / framesPerSecond + (at / streams) * (1000 / framesPerSecond) - performance.now(),
          ),
        );
      }
    };
    await Promise.all(names.map(writeAll));
    await eventually(() => ages.length === streams * total, 'all frames have come');
    const cpu = process.cpuUsage(cpuBefore);
    const perFrame = (micros: number): string => (micros / ages.length).toFixed(1);
    const [p50, p99] = [0.5, 0.99].map(
      (share) => ages.toSorted((a, b) => a - b)[Math.floor(ages.length * share)] ?? Number.NaN,
    );
    const server = ((await serverCpuSeconds()) - serverBefore) * 1e6;
    process.stderr.write(
      `live stream ${name}: ${ages.length} frames in ${((performance.now() - begunAt) / 1000).toFixed(1)} s; CPU per frame: ${perFrame(cpu.user + cpu.system)} µs here, ${perFrame(server)} µs server; age p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms\n`,
    );
    await Promise.all([writer.close(), reader.close()]);
  });
}
