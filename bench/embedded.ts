// The one-process edition, as `npm start` starts it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchFirstToken, benchRelay, benchTwentyAtOnce } from './answers.ts';
import { embeddedBudgets } from './budgets.ts';
import { startFloors, type Floors } from './floors.ts';
import { benchMonitoring } from './monitoring.ts';
import { cpuSecondsOf, percentile, rssMbOf, startProcess, wait, type Product, type Started } from './product.ts';
import { Report } from './report.ts';
import { benchStore } from './store.ts';

export type EmbeddedProduct = Product & Started;
export type Place = {
  readonly folder: string;
  readonly environment: Record<string, string>;
  readonly root?: string;
  /** Of node. */
  readonly flags?: readonly string[];
};

export async function benchEmbedded(interruption: Promise<never>): Promise<void> {
  await inFolder(async (folder) => {
    const floors = await startFloors();
    const environment = { PARLEY_OUTBOUND_ALLOW: floors.modelAddress, PARLEY_TRUSTED_PROXY: '127.0.0.1' };
    try {
      await Promise.race([measure({ folder, environment }, floors), interruption]);
    } finally {
      await floors.close();
    }
  });
}

/** A folder for a run, which is gone afterwards. */
export async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(place: Place, floors: Floors): Promise<void> {
  const report = new Report(embeddedBudgets);
  const product = await startProduct(place);
  const bench = { product, floors, report };
  await wait(1_000);
  report.add('RSS idle', product.rssMb());
  await benchFirstToken(bench);
  await benchTwentyAtOnce(bench);
  await benchRelay(bench, 20);
  await benchRelay(bench, 100);
  await product.close();
  await benchStart(place, report);
  await benchMonitoring(place.folder, report);
  report.print();
  report.write('latest.json');
  await benchStore();
}

/** The built product on a folder of its own, or on one that was used before. */
export async function startProduct({
  folder,
  environment,
  root = join(import.meta.dirname, '..'),
  flags = [],
}: Place): Promise<EmbeddedProduct> {
  const started = await startProcess(
    ['--max-semi-space-size=8', ...flags, join(root, 'cli/bin/parley.mjs'), '--data', folder, '--port', '0'],
    {
      PARLEY_REGISTRATION: 'open',
      PARLEY_REGISTRATIONS_PER_HOUR: '100000',
      PARLEY_SKIP_BUILD: '1',
      MALLOC_ARENA_MAX: '2',
      ...environment,
    },
  );
  return {
    ...started,
    url: /http:\/\/localhost:\d+/.exec(started.line)?.[0] ?? '',
    cpuSeconds: () => ({ parley: cpuSecondsOf(started.pid), servers: {} }),
    rssMb: () => rssMbOf(started.pid),
  };
}

async function benchStart(place: Place, report: Report): Promise<void> {
  const bare: number[] = [];
  const ready: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    const floor = await startProcess([
      '-e',
      "require('node:http').createServer().listen(0, () => console.log('ready'))",
    ]);
    bare.push(floor.readyMs);
    await floor.close();
    const started = await startProduct(place);
    ready.push(started.readyMs);
    await started.close();
  }
  report.add('ready after start (warm)', percentile(ready, 0.5) / 1_000, percentile(bare, 0.5) / 1_000);
}
