import type { Deployable } from '@parley/contracts';
import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { Mongo } from '@parley/platform/mongo';
import { freePort } from '@parley/testing/servers';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Edition, EditionOptions } from './edition.ts';
import { Killer, planKills, type KillPlan } from './kills.ts';
import { hookOf } from './mutants.ts';
import { Product } from './product.ts';
import { between, pause } from './world.ts';

const needed = { random: 6, failpoint: 3 };
/** Limits how often a kill is repeated because the answer had ended first, as on a busy machine. */
const spareEach = 12;

/** One process on one data folder, with one worker role or two in turn. */
export class EmbeddedEdition implements Edition {
  readonly name = 'embedded';
  readonly thinkMs = { least: 0, most: 60 };
  private readonly folder: string;
  private readonly product: Product;
  private readonly killer: Killer;
  private readonly options: EditionOptions;

  private constructor(options: EditionOptions, folder: string, product: Product) {
    const workersOf = (life: number): number => options.mutant?.workers ?? 1 + (life % 2);
    this.options = options;
    this.folder = folder;
    this.product = product;
    this.killer = new Killer({ product, provider: options.provider, evidence: options.evidence, workersOf });
  }

  static async open(options: EditionOptions): Promise<EmbeddedEdition> {
    const folder = mkdtempSync(join(tmpdir(), 'parley-kill-'));
    const hook = options.mutant && hookOf(options.mutant.replacements);
    return new EmbeddedEdition(
      options,
      folder,
      new Product({
        folder,
        port: await freePort(),
        variables: { PARLEY_OUTBOUND_ALLOW: options.providerAddress },
        hook,
      }),
    );
  }

  get url(): string {
    return this.product.url;
  }

  start(): Promise<void> {
    return this.killer.startOrFail();
  }

  /** The file has one owner: the product is stopped. */
  async inStore<Result>(
    deployable: Deployable,
    use: (connection: Mongo['connection']) => Promise<Result>,
  ): Promise<Result> {
    await this.killer.stopOrFail();
    const store = await startEmbeddedMongo({ file: join(this.folder, 'store.sqlite') });
    try {
      const mongo = await Mongo.connect(store.uri(`parley_${deployable}`));
      try {
        return await use(mongo.connection);
      } finally {
        await mongo.close();
      }
    } finally {
      await store.close();
    }
  }

  async carryOutKills(): Promise<void> {
    const { mutant, times } = this.options;
    const [random, failpoint] = [needed.random * times, needed.failpoint * times];
    const plans = planKills(mutant?.kills ?? { random, failpoint });
    for (const [index, plan] of plans.entries()) await this.carryOut(plan, `kill ${index + 1}/${plans.length}`);
    if (mutant) return;
    for (let spare = 1; spare <= spareEach * times && this.killer.counts.random < random; spare += 1)
      await this.carryOut({ kind: 'random', epoch: 'first' }, `made up for ${spare}`);
  }

  async killAtRest(): Promise<void> {
    await this.product.kill();
    await this.killer.startOrFail();
  }

  report(): string[] {
    const { random, failpoint } = this.killer.counts;
    return [`${random} kills in mid-answer, ${failpoint} at failpoints`];
  }

  shortcomings(): string[] {
    const { random, failpoint } = this.killer.counts;
    const { times } = this.options;
    return [
      ...(random < needed.random * times ? [`only ${random} kills in mid-answer`] : []),
      ...(failpoint < needed.failpoint * times ? [`only ${failpoint} kills at failpoints`] : []),
    ];
  }

  /** Waits are measured on the distributed edition: a single process has no other to take over. */
  missedTimes(): string[] {
    return [];
  }

  async close(): Promise<void> {
    await this.product.kill();
    if (!this.options.isKept) rmSync(this.folder, { recursive: true, force: true });
  }

  private async carryOut(plan: KillPlan, label: string): Promise<void> {
    await this.killer.carryOut(plan, label);
    await pause(between(0, 400));
  }
}
