// How long another organisation waits while one asks, lists, searches, uploads and invites as fast as its limits allow,
// beside the same waits at rest in the same run.
import { Worker } from 'node:worker_threads';
import { floodBudgets } from './budgets.ts';
import { withInstallation } from './distributed.ts';
import { inFolder, startProduct } from './embedded.ts';
import { startFloors } from './floors.ts';
import type { FloodCounts, FloodOrder } from './flood-thread.ts';
import { Neighbour, waits } from './neighbour.ts';
import { wait } from './product.ts';
import { Report } from './report.ts';

const atRestMs = 30_000;
const floodedMs = 60_000;
const warmMs = 5_000;

export const benchFlood =
  (edition: string) =>
  async (interruption: Promise<never>): Promise<void> => {
    if (edition === 'distributed')
      return withInstallation(({ product, floors }) => {
        const order = { url: product.url, modelUrl: floors.modelUrl };
        return Promise.race([measure(order, 'latest-flood-distributed.json'), interruption]);
      });
    await inFolder(async (folder) => {
      const floors = await startFloors();
      const environment = { PARLEY_OUTBOUND_ALLOW: floors.modelAddress, PARLEY_TRUSTED_PROXY: '127.0.0.1' };
      const product = await startProduct({ folder, environment });
      try {
        const order = { url: product.url, modelUrl: floors.modelUrl };
        await Promise.race([measure(order, 'latest-flood.json'), interruption]);
      } finally {
        await product.close();
        await floors.close();
      }
    });
  };

async function measure(order: FloodOrder, file: string): Promise<void> {
  const report = new Report(floodBudgets);
  const neighbour = await Neighbour.found(order.url, order.modelUrl);
  await neighbour.measure(warmMs);
  const rest = await neighbour.measure(atRestMs);
  const flood = await Flood.start(order);
  await wait(warmMs);
  const flooded = await neighbour.measure(floodedMs);
  report.say(flood.told);
  await flood.end();
  neighbour.leave();
  for (const what of waits) report.add(`${what} beside a flood, p95`, flooded.p95[what], rest.p95[what]);
  report.add('refused or late beside a flood', flooded.failed + rest.failed);
  report.print();
  report.write(file);
}

/** The other organisation, in a thread of its own: it must not make the measurement late. */
class Flood {
  private counts: FloodCounts = {};

  private constructor(private readonly thread: Worker) {
    thread.on('message', (counts: FloodCounts) => (this.counts = counts));
  }

  static async start(order: FloodOrder): Promise<Flood> {
    const thread = new Worker(new URL('./flood-thread.ts', import.meta.url), { workerData: order });
    await new Promise((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
    });
    return new Flood(thread);
  }

  get told(): string {
    const each = Object.entries(this.counts).map(
      ([name, { accepted, refused }]) => `${name} ${accepted} (+ ${refused})`,
    );
    return `the flood, accepted (and refused): ${each.join(', ')}`;
  }

  async end(): Promise<void> {
    await this.thread.terminate();
  }
}
