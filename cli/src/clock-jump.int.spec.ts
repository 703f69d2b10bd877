import { expect, test } from '@jest/globals';
import { describeOn } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Skipped } from '@parley/testing/servers';
import { globSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ownProcesses } from './own-process.spec-setup.ts';

/** A wake-up is over when nothing has been refused for so long. */
const calmMs = 3_000;
const watchedMs = { least: 12_000, most: 120_000 };
const hoursMs = 3_600_000;

/** Lies to a process about the time of day; what it measures durations by goes on. */
class FakeTime {
  private readonly file: string;

  constructor(
    private readonly preloaded: string,
    name: string,
  ) {
    this.file = join(tmpdir(), `parley-faketime-${process.pid}-${name}`);
  }

  get environment(): Record<string, string> {
    return {
      LD_PRELOAD: this.preloaded,
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  set(offsetMs: number): void {
    writeFileSync(this.file, `${offsetMs < 0 ? '-' : '+'}${Math.abs(offsetMs) / 1_000}`);
  }
}

type Library = { readonly preloaded: string; close(): Promise<void> };

function findLibrary(): Library | Skipped {
  const [preloaded] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  return preloaded
    ? { preloaded, close: async () => {} }
    : { skipped: 'libfaketime is not installed (Debian package faketime)' };
}

type Jumped = { readonly refusals: readonly string[]; readonly isCalm: boolean };

describeOn('a clock that jumps', findLibrary(), ({ preloaded }) => {
  const jumps = [
    { name: 'ahead', jumpMs: 2 * hoursMs, start: ownProcesses().start },
    { name: 'back', jumpMs: -2 * hoursMs, start: ownProcesses().start },
  ];

  async function jump({ name, jumpMs, start }: (typeof jumps)[number]): Promise<Jumped> {
    const time = new FakeTime(preloaded, name);
    time.set(0);
    const { url, setupToken } = await start(time.environment);
    const client = new ParleyClient(url);
    await client.register({ name: 'Ines', email: 'ines@example.com', password: 'three quiet herons', setupToken });
    await client.createOrganisation('Lindmoor');
    const ask = () =>
      client.call('GET /api/chat/conversations').then(
        () => 'served',
        (error: unknown) => String(error),
      );
    expect(await ask()).toBe('served');
    time.set(jumpMs);
    const jumpedAt = performance.now();
    const refusals: string[] = [];
    let recoveredAt = jumpedAt;
    const isOver = (now = performance.now()): boolean =>
      now - jumpedAt >= watchedMs.most || (now - jumpedAt >= watchedMs.least && now - recoveredAt >= calmMs);
    while (!isOver()) {
      const answer = await ask();
      if (answer !== 'served') {
        refusals.push(answer);
        recoveredAt = performance.now();
      }
      await wait(100);
    }
    process.stdout.write(`a clock jumps ${name}: recovered after ${Math.round(recoveredAt - jumpedAt)} ms\n`);
    return { refusals, isCalm: performance.now() - recoveredAt >= calmMs };
  }

  // Two processes at the same time: a jump is watched for longer than it takes.
  test('a clock jump by two hours ahead or back ends no session, and everybody is served again', async () => {
    for (const { refusals, isCalm } of await Promise.all(jumps.map(jump))) {
      expect(refusals.filter((refusal) => !/^Error: 50\d /.test(refusal))).toEqual([]);
      expect(isCalm).toBe(true);
    }
  });
});
