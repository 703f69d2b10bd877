import type { Deployable } from '@parley/contracts';
import { Mongo } from '@parley/platform/mongo';
import { databaseUrl } from '@parley/platform/process';
import { Installation, processNames, startInfrastructure, type Infrastructure, type ProcessName, type Running } from '@parley/testing/distributed';
import type { Edition, EditionOptions } from './edition.ts';
import { hookOf, type Failpoint, type ProcessKill, type Replacement } from './mutants.ts';
import { within } from './product.ts';
import { between, pause } from './world.ts';

const copies = 2;
const rounds = 5;
const atFailpoints: readonly ProcessKill[] = [{ name: 'billing', failpoint: 'effect-committed' }, { name: 'chat-api', failpoint: 'relayed-not-marked' }, { name: 'chat-worker', failpoint: 'claimed-no-frame' }];
const readyWithinMs = 60_000;
const endWithinMs = 40_000;
const failpointWithinMs = 60_000;
const firstTokenWithinMs = 45_000;

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

/** One of each kind, and two at failpoints. */
const killsOf = (round: number): readonly ProcessKill[] => [...processNames.map((name) => ({ name })), atFailpoints[round % 3]!, atFailpoints[(round + 1) % 3]!];

/** Two of each of the seven processes behind a round-robin TCP balancer, on Kafka, Redis and a document store that stay. */
export class DistributedEdition implements Edition {
  readonly name = 'distributed';
  private readonly options: EditionOptions;
  private readonly infrastructure: Infrastructure;
  private readonly installation: Installation;
  private readonly running = new Map<string, Running>();
  private readonly killed = new Map<ProcessName, number>();
  private readonly died = new Map<Failpoint, number>();
  private readonly complaints: string[] = [];
  /** Of processes that are to end. */
  private readonly expected = new Set<Running>();

  private constructor(options: EditionOptions, infrastructure: Infrastructure, installation: Installation) {
    this.options = options;
    this.infrastructure = infrastructure;
    this.installation = installation;
  }

  static async open(options: EditionOptions): Promise<DistributedEdition | { readonly skipped: string }> {
    const infrastructure = await startInfrastructure();
    if ('skipped' in infrastructure) return infrastructure;
    const hook = hookOf([withFailpoints, ...(options.mutant?.replacements ?? [])]);
    const settings = { PARLEY_OUTBOUND_ALLOW: options.providerAddress, PARLEY_LOG_LEVEL: 'warn' };
    const installation = await Installation.prepare({ infrastructure, copies, isBuilt: true, settings, hook });
    await installation.setUp();
    return new DistributedEdition(options, infrastructure, installation);
  }

  get url(): string {
    return this.installation.publicUrl;
  }

  async start(): Promise<void> {
    await Promise.all(processNames.flatMap((name) => Array.from({ length: copies }, (_unused, copy) => this.startReady(name, copy))));
  }

  async inStore<Result>(deployable: Deployable, use: (connection: Mongo['connection']) => Promise<Result>): Promise<Result> {
    const mongo = await Mongo.connect(databaseUrl(this.infrastructure.mongoUrl, deployable));
    try {
      return await use(mongo.connection);
    } finally {
      await mongo.close();
    }
  }

  async carryOutKills(): Promise<void> {
    const plans = this.options.mutant?.processKills ?? Array.from({ length: rounds * this.options.times }, (_unused, round) => killsOf(round)).flat();
    for (const [index, plan] of plans.entries()) {
      const how = plan.failpoint ? await this.killAtFailpoint(plan.name, plan.failpoint) : await this.killInAnswer(plan.name);
      if (this.complaints.length > 0) throw new Error(this.complaints.join('\n'));
      console.log(`kill ${index + 1}/${plans.length}: ${how}; acked ${this.options.evidence.acked}`);
      await pause(between(0, 400));
    }
  }

  async killAtRest(): Promise<void> {
    await Promise.all(processNames.map(async (name) => {
      await this.kill(name, 0);
      await this.startReady(name, 0);
    }));
  }

  report(): string[] {
    const list = (counts: ReadonlyMap<string, number>): string => [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
    return [`killed in mid-answer: ${list(this.killed)}; at failpoints: ${list(this.died)}`, ...this.options.evidence.live.lines()];
  }

  shortcomings(): string[] {
    const tooFew = processNames.filter((name) => (this.killed.get(name) ?? 0) < rounds * this.options.times).map((name) => `${name} was killed only ${this.killed.get(name) ?? 0} times`);
    return [...tooFew, ...this.options.evidence.live.tooLong(), ...this.complaints];
  }

  async close(): Promise<void> {
    for (const each of this.running.values()) this.expected.add(each);
    await this.installation.close();
    if (this.options.isKept) console.log(`kept: ${this.infrastructure.folder}`);
    else await this.infrastructure.close();
  }

  private async startReady(name: ProcessName, copy: number): Promise<void> {
    const started = await this.startOne(name, copy);
    for (const deadline = performance.now() + readyWithinMs; !(await started.isReady()); await pause(100)) {
      if (performance.now() > deadline) throw new Error(`${name} is not ready: ${started.log().slice(-2_000)}`);
      if (this.complaints.length > 0) throw new Error(this.complaints.join('\n'));
    }
  }

  private async startOne(name: ProcessName, copy: number, settings: Record<string, string> = {}): Promise<Running> {
    const started = await this.installation.start(name, copy, settings);
    this.running.set(`${name}:${copy}`, started);
    void started.exited.then((code) => {
      if (!this.expected.has(started)) this.complaints.push(`${name} ended by itself with ${String(code)}: ${started.log().slice(-2_000)}`);
    });
    return started;
  }

  private async kill(name: ProcessName, copy: number): Promise<void> {
    const victim = this.running.get(`${name}:${copy}`)!;
    this.expected.add(victim);
    victim.signal('SIGKILL');
    await within(endWithinMs, 'a killed process should be gone', victim.exited);
  }

  private async killInAnswer(name: ProcessName): Promise<string> {
    const { evidence } = this.options;
    const token = await within(firstTokenWithinMs, 'a first token of a long answer should be seen', evidence.nextFirstToken(() => true));
    await pause(Math.max(0, token.at + between(50, 1_500) - performance.now()));
    const copy = between(0, copies - 1);
    evidence.live.afterKillOf(name);
    const from = performance.now();
    await this.kill(name, copy);
    this.killed.set(name, (this.killed.get(name) ?? 0) + 1);
    await this.startReady(name, copy);
    return `${name} ${copy + 1} killed; ready again after ${((performance.now() - from) / 1_000).toFixed(1)} s`;
  }

  /** One copy is ended as by an operator; its successor kills itself. */
  private async killAtFailpoint(name: ProcessName, failpoint: Failpoint): Promise<string> {
    const copy = between(0, copies - 1);
    const leaving = this.running.get(`${name}:${copy}`)!;
    this.expected.add(leaving);
    leaving.signal('SIGTERM');
    const code = await within(endWithinMs, 'a process should end gracefully', leaving.exited);
    if (code !== 0) throw new Error(`A graceful stop of ${name} ended with ${String(code)}: ${leaving.log().slice(-2_000)}`);
    const nth = between(1, 20);
    const victim = await this.startOne(name, copy, { PARLEY_TEST_FAILPOINT: `${failpoint}:${nth}` });
    this.expected.add(victim);
    this.options.evidence.live.afterKillOf(`${name} at ${failpoint}`);
    if ((await within(failpointWithinMs, `${name} should come to ${failpoint}`, victim.exited)) !== null) throw new Error(`${name} ended by itself: ${victim.log().slice(-2_000)}`);
    this.died.set(failpoint, (this.died.get(failpoint) ?? 0) + 1);
    await this.startReady(name, copy);
    return `${name} ${copy + 1} killed itself at ${failpoint}, time ${nth}`;
  }
}
