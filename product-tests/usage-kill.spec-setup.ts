import { expect, test } from '@jest/globals';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `told`: so many are in the log for good. `kept`: what is in the books at the end. */
export type UsageTold = { readonly told: number } | { readonly kept: UsageKept };
export type UsageKept = {
  readonly entries: number;
  readonly attempts: number;
  readonly inMetrics: number;
  readonly ofPeople: number;
  readonly costMicros: number;
  readonly differences: readonly string[];
  readonly deadLetters: number;
};

const root = join(import.meta.dirname, '..');
const execArgv = ['--conditions=parley-source', '--import', join(root, 'packages/tooling/src/register.mjs')];
/** After a kill so many that were told already are told again. */
const again = 100;

/** What usage costs as the price says, each answer by itself and rounded half up. */
const costOf = (at: number): number => Math.round((900 + (at % 13)) * 2.5) + Math.round((300 + (at % 7)) * 10);

/** Usage of so many answers, each told at least once and many of them twice, by a process that is killed again and again. */
export function testKilledUsage(count: number, kills: number): void {
  test(
    `usage of ${count} answers through ${kills} kills: each is in ledger, totals and metrics exactly once`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'parley-usage-'));
      try {
        let told = 0;
        for (let kill = 1; kill <= kills; kill += 1)
          told = await run({ folder, count, from: Math.max(0, told - again), until: (count * kill) / (kills + 1) });
        let kept: UsageKept | null = null;
        await run({ folder, count, from: Math.max(0, told - again), onKept: (books) => (kept = books) });
        const costMicros = Array.from({ length: count }, (_, at) => costOf(at)).reduce((sum, cost) => sum + cost, 0);
        const each = { entries: count, attempts: count, inMetrics: count, ofPeople: count };
        expect(kept).toEqual({ ...each, costMicros, differences: [], deadLetters: 0 });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    count * 120,
  );
}

type Run = {
  readonly folder: string;
  readonly count: number;
  readonly from: number;
  /** Killed when so many have been told; otherwise it goes on until all is in the books. */
  readonly until?: number;
  readonly onKept?: (kept: UsageKept) => void;
};

/** How many were told for good. */
async function run({ folder, count, from, until = Infinity, onKept }: Run): Promise<number> {
  const args = [join(folder, 'store.sqlite'), String(count), String(from)];
  const script = join(import.meta.dirname, 'usage-process.spec-setup.ts');
  const child = fork(script, args, { execArgv, env: { ...process.env, NODE_OPTIONS: '' } });
  const gone = once(child, 'exit');
  let told = from;
  child.on('message', (message: UsageTold) => {
    if ('kept' in message) return onKept?.(message.kept);
    told = message.told;
    if (told >= until) child.kill('SIGKILL');
  });
  const [code] = (await gone) as [number | null];
  if (code !== null && code !== 0) throw new Error(`The process ended with ${code}.`);
  return told;
}
