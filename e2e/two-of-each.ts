import type { Skipped } from '@parley/testing/servers';
import {
  findBalancer,
  Installation,
  processNames,
  startInfrastructure,
  type Infrastructure,
  type ProcessName,
  type Running,
} from '@parley/testing/distributed';
import { setTimeout as wait } from 'node:timers/promises';

const readyWithinMs = 240_000;
const lookEveryMs = 100;

/** Kafka, Redis and a document store, or why they or the balancer cannot be had here. */
export async function startServers(): Promise<Infrastructure | Skipped> {
  const reason = findBalancer();
  return reason === null ? startInfrastructure() : { skipped: reason };
}

/** Two of each process, as built, behind a round-robin balancer. */
export class TwoOfEach {
  readonly installation: Installation;
  private readonly processes: Running[] = [];
  private readonly ends: string[] = [];

  private constructor(installation: Installation) {
    this.installation = installation;
  }

  /** Resolves when all are ready. Each process imports `hook` before its own code. */
  static async start(
    infrastructure: Infrastructure,
    settings: Record<string, string>,
    hook: string | null = null,
  ): Promise<TwoOfEach> {
    const running = new TwoOfEach(await Installation.prepare({ infrastructure, copies: 2, settings, hook }));
    try {
      await running.installation.setUp();
      await Promise.all(processNames.flatMap((name) => [0, 1].map((copy) => running.startCopy(name, copy))));
      await running.untilReady();
      return running;
    } catch (error) {
      await running.close();
      throw error;
    }
  }

  get url(): string {
    return this.installation.publicUrl;
  }

  get all(): readonly Running[] {
    return this.processes;
  }

  /** Those that ended though nobody had meant them to, and those that said that they give up. */
  get casualties(): string[] {
    const fatal = this.processes.flatMap(({ name, log }) =>
      log()
        .split('\n')
        .filter((line) => line.includes('"level":60'))
        .map((line) => `${name}: ${line}`),
    );
    return [...this.ends, ...fatal];
  }

  of(name: ProcessName): Running[] {
    return this.processes.filter((each) => each.name === name).toSorted((one, other) => one.copy - other.copy);
  }

  async unready(): Promise<string[]> {
    const ready = await Promise.all(this.processes.map((each) => each.isReady()));
    return this.processes.filter((_each, at) => !ready[at]).map(({ name, copy }) => `${name} ${copy + 1}`);
  }

  /** How many requests of the API it has answered. */
  async servedBy(process: Running): Promise<number> {
    return sumOf(
      (await process.probe('/metrics')).text,
      /^http_server_request_duration_seconds_count\{.*route="\/api\/.* (\d+)$/gm,
    );
  }

  /** A figure of all processes of a kind together. */
  async gauge(name: ProcessName, metric: string): Promise<number> {
    const figures = await Promise.all(this.of(name).map((each) => gaugeOf(each, metric)));
    return figures.reduce((sum, figure) => sum + figure, 0);
  }

  /** Throws at the first casualty. */
  async untilReady(): Promise<void> {
    for (const deadline = Date.now() + readyWithinMs; ; await wait(lookEveryMs)) {
      if (this.casualties.length > 0) throw new Error(this.casualties.join('\n'));
      const unready = await this.unready();
      if (unready.length === 0) return;
      if (Date.now() > deadline) throw new Error(`Not ready after ${readyWithinMs / 1_000} s: ${unready.join(', ')}`);
    }
  }

  /** kill -9; resolves when there is another one in its place, which may not be ready yet. */
  async killAndReplace(victim: Running): Promise<Running> {
    return (await this.kill(victim))();
  }

  /** kill -9; what it resolves with starts another one in its place. */
  async kill(victim: Running): Promise<() => Promise<Running>> {
    this.letGo(victim);
    victim.signal('SIGKILL');
    await victim.exited;
    return () => this.startCopy(victim.name, victim.copy);
  }

  /**
   * As an operator ends it; its successor, which runs with these settings, is meant to die and comes back as
   * `killAndReplace` would have it.
   */
  async endAndReplace(
    leaving: Running,
    settings: Record<string, string>,
  ): Promise<{ readonly exited: Running['exited']; replace(): Promise<Running> }> {
    await this.end(leaving);
    const victim = await this.installation.start(leaving.name, leaving.copy, settings);
    return { exited: victim.exited, replace: () => this.startCopy(victim.name, victim.copy) };
  }

  /** As an operator does it; the other copy may deal with everything meanwhile. */
  async restart(leaving: Running): Promise<Running> {
    await this.end(leaving);
    return this.startCopy(leaving.name, leaving.copy);
  }

  close(): Promise<void> {
    return this.installation.close();
  }

  private async end(leaving: Running): Promise<void> {
    this.letGo(leaving);
    leaving.signal('SIGTERM');
    const code = await leaving.exited;
    if (code !== 0)
      throw new Error(`A graceful end of ${leaving.name} came to ${String(code)}: ${leaving.log().slice(-2_000)}`);
  }

  /** Its end is nobody's fault from now on. */
  private letGo(process: Running): void {
    this.processes.splice(this.processes.indexOf(process), 1);
  }

  private async startCopy(name: ProcessName, copy: number): Promise<Running> {
    const started = await this.installation.start(name, copy);
    this.processes.push(started);
    void started.exited.then(
      (code) =>
        this.processes.includes(started) &&
        this.ends.push(`${name} ${copy + 1} ended with ${String(code)}: ${started.log().slice(-2_000)}`),
    );
    return started;
  }
}

export async function gaugeOf(process: Running, metric: string): Promise<number> {
  return sumOf((await process.probe('/metrics')).text, new RegExp(`^${metric}\\{.* (\\d+)$`, 'gm'));
}

const sumOf = (text: string, counts: RegExp): number =>
  [...text.matchAll(counts)].reduce((sum, [, count]) => sum + Number(count), 0);
