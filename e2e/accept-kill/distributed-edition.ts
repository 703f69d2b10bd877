import type { Deployable } from '@parley/contracts';
import { Mongo } from '@parley/platform/mongo';
import { databaseUrl } from '@parley/platform/process';
import { processNames, type Infrastructure, type ProcessName, type Running } from '@parley/testing/distributed';
import type { Skipped } from '@parley/testing/servers';
import { startServers, TwoOfEach } from '../two-of-each.ts';
import type { Edition, EditionOptions } from './edition.ts';
import { hookOf, type ProcessKill, type Replacement } from './mutants.ts';
import { within } from './product.ts';
import { between, pause } from './world.ts';

const atFailpoints: readonly ProcessKill[] = [
  { name: 'billing', failpoint: 'effect-committed' },
  { name: 'chat-api', failpoint: 'relayed-not-marked' },
  { name: 'chat-worker', failpoint: 'claimed-no-frame' },
];
const failpointWithinMs = 300_000;
/** After so long the other copy is restarted: meanwhile the victim gets what the other one dealt with. */
const failpointAloneAfterMs = 20_000;
const firstTokenWithinMs = 300_000;

/** Where a started process of this edition may die; the product itself has no such places. */
const withFailpoints: Replacement = {
  file: 'packages/platform/dist/process/distributed-platform.js',
  of: 'failpoint = async ()=>{};',
  by: `failpoint = async (reached) => {
    const [name, nth] = (process.env.PARLEY_TEST_FAILPOINT ?? '').split(':');
    if (reached !== name) return;
    this.passed = (this.passed ?? 0) + 1;
    if (this.passed >= Number(nth)) process.kill(process.pid, 'SIGKILL');
  };`,
};

/** One of each kind, and one at each failpoint. */
const round: readonly ProcessKill[] = [...processNames.map((name) => ({ name })), ...atFailpoints];

/**
 * Two of each of the seven processes behind a round-robin TCP balancer, on Kafka, Redis and a document store that stay.
 */
export class DistributedEdition implements Edition {
  readonly name = 'distributed';
  /** Fourteen processes on two cores: without a rest the machine is measured, not the product. */
  readonly thinkMs = { least: 2_500, most: 7_000 };
  private readonly options: EditionOptions;
  private readonly infrastructure: Infrastructure;
  private readonly killed = new Map<ProcessName, number>();
  private readonly died = new Map<string, number>();
  private running: TwoOfEach | null = null;

  private constructor(options: EditionOptions, infrastructure: Infrastructure) {
    this.options = options;
    this.infrastructure = infrastructure;
  }

  static async open(options: EditionOptions): Promise<DistributedEdition | Skipped> {
    const infrastructure = await startServers();
    return 'skipped' in infrastructure ? infrastructure : new DistributedEdition(options, infrastructure);
  }

  get url(): string {
    return this.processes.url;
  }

  async start(): Promise<void> {
    const { mutant, providerAddress } = this.options;
    const hook = hookOf([withFailpoints, ...(mutant?.replacements ?? [])]);
    this.running = await TwoOfEach.start(
      this.infrastructure,
      { PARLEY_OUTBOUND_ALLOW: providerAddress, PARLEY_LOG_LEVEL: 'warn' },
      hook,
    );
  }

  async inStore<Result>(
    deployable: Deployable,
    use: (connection: Mongo['connection']) => Promise<Result>,
  ): Promise<Result> {
    const mongo = await Mongo.connect(databaseUrl(this.infrastructure.mongoUrl, deployable));
    try {
      return await use(mongo.connection);
    } finally {
      await mongo.close();
    }
  }

  async carryOutKills(): Promise<void> {
    const plans = this.options.mutant?.processKills ?? Array.from({ length: this.options.times }, () => round).flat();
    for (const [index, plan] of plans.entries()) {
      const how = plan.failpoint
        ? await this.killAtFailpoint(plan.name, plan.failpoint)
        : await this.killInAnswer(plan.name);
      console.log(`kill ${index + 1}/${plans.length}: ${how}; acked ${this.options.evidence.acked}`);
      await pause(between(0, 400));
    }
  }

  async killAtRest(): Promise<void> {
    await Promise.all(processNames.map((name) => this.processes.killAndReplace(this.processes.of(name)[0]!)));
    await this.processes.untilReady();
  }

  report(): string[] {
    const list = (counts: ReadonlyMap<string, number>): string =>
      [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
    return [
      `killed in mid-answer: ${list(this.killed)}; at failpoints: ${list(this.died)}`,
      ...this.options.evidence.live.lines(),
    ];
  }

  shortcomings(): string[] {
    const tooFew = processNames
      .filter((name) => (this.killed.get(name) ?? 0) < this.options.times)
      .map((name) => `${name} was killed only ${this.killed.get(name) ?? 0} times`);
    return [...tooFew, ...this.processes.casualties];
  }

  missedTimes(): string[] {
    return this.options.evidence.live.tooLong();
  }

  async close(): Promise<void> {
    await this.running?.close();
    if (this.options.isKept) console.log(`kept: ${this.infrastructure.folder}`);
    else await this.infrastructure.close();
  }

  private get processes(): TwoOfEach {
    if (!this.running) throw new Error('Nothing has been started.');
    return this.running;
  }

  private async killInAnswer(name: ProcessName): Promise<string> {
    const { evidence } = this.options;
    const token = await within(
      firstTokenWithinMs,
      'a first token of a long answer should be seen',
      evidence.nextFirstToken(() => true),
    );
    await pause(Math.max(0, token.at + between(50, 1_500) - performance.now()));
    const victim = this.oneOf(name);
    evidence.live.afterKillOf(name);
    const from = performance.now();
    await this.processes.killAndReplace(victim);
    this.killed.set(name, (this.killed.get(name) ?? 0) + 1);
    await this.processes.untilReady();
    return `${name} ${victim.copy + 1} killed; ready again after ${((performance.now() - from) / 1_000).toFixed(1)} s`;
  }

  /** One copy is ended as by an operator; its successor kills itself. */
  private async killAtFailpoint(name: ProcessName, failpoint: string): Promise<string> {
    const leaving = this.oneOf(name);
    const nth = between(1, 5);
    const victim = await this.processes.endAndReplace(leaving, { PARLEY_TEST_FAILPOINT: `${failpoint}:${nth}` });
    this.options.evidence.live.afterKillOf(`${name} at ${failpoint}`);
    const isLate = await Promise.race([victim.exited.then(() => false), pause(failpointAloneAfterMs).then(() => true)]);
    if (isLate) await this.processes.restart(this.processes.of(name)[0]!);
    const code = await within(failpointWithinMs, `${name} should come to ${failpoint}`, victim.exited);
    if (code !== null) throw new Error(`${name} ended by itself with ${code} instead of dying at ${failpoint}.`);
    this.died.set(failpoint, (this.died.get(failpoint) ?? 0) + 1);
    await victim.replace();
    await this.processes.untilReady();
    return `${name} ${leaving.copy + 1} killed itself at ${failpoint}, time ${nth}`;
  }

  private oneOf(name: ProcessName): Running {
    return this.processes.of(name)[between(0, 1)]!;
  }
}
