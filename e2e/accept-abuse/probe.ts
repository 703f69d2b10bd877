import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromProbe, Lag, Measured, Sample, ToProbe, Watched } from './probe-process.ts';

const measured: readonly Measured[] = ['sign-in', 'list', 'first token'];
const leastSamples = 50;
const leastAtRest = 15;

export type Verdict = { readonly what: string; readonly isFine: boolean; readonly figures: string };

/** What the other organisation's people wait for, at rest and during the attack. */
export class Probe {
  /** Where the process's own model listens, `host:port`. */
  readonly address: string;
  private readonly process: ChildProcess;
  private readonly rest: Sample[] = [];
  private readonly attack: Sample[] = [];
  private current = this.rest;
  private lag: Lag = { p95Ms: Number.NaN, worstMs: Number.NaN };
  private hasDied = false;
  private isClosing = false;

  private constructor(own: ChildProcess, address: string) {
    this.process = own;
    this.address = address;
    own.once('exit', () => (this.hasDied = !this.isClosing));
    own.on('message', (message: FromProbe) => {
      if (!('sample' in message)) return;
      this.current.push(message.sample);
      this.lag = message.lag;
    });
  }

  static async start(): Promise<Probe> {
    const own = fork(fileURLToPath(new URL('./probe-process.ts', import.meta.url)));
    const address = await new Promise<string>((resolve, reject) => {
      own.once('error', reject);
      own.once('exit', (code) => reject(new Error(`The watch ended with ${code}.`)));
      own.once('message', (message: FromProbe) => void ('address' in message && resolve(message.address)));
    });
    return new Probe(own, address);
  }

  begin(watched: Watched): void {
    this.process.send(watched satisfies ToProbe);
  }

  /** Each of the three was measured often enough to be compared with. */
  get hasRested(): boolean {
    return measured.every((what) => this.rest.filter((sample) => sample.what === what).length >= leastAtRest);
  }

  /** From now on samples are those of the attack. */
  beginAttack(): void {
    this.current = this.attack;
    if (this.process.connected) this.process.send('attack' satisfies ToProbe);
  }

  close(): void {
    this.isClosing = true;
    this.process.kill();
  }

  /** How late the watch itself was, in words. */
  get lateness(): string {
    return `the watch itself was late by ${ms(this.lag.p95Ms)} (p95), ${ms(this.lag.worstMs)} at most`;
  }

  /** Describes how long people waited. The run doesn't judge it, because it depends on the machine. */
  get times(): string[] {
    return measured.map((what) => {
      const [rest, attack] = [this.rest, this.attack].map((samples) => timesOf(samples, what)) as [number[], number[]];
      const [atRest, now] = [percentile(rest, 0.95), percentile(attack, 0.95)];
      const tail = what === 'list' ? `, p99.9 ${ms(percentile(attack, 0.999))}` : '';
      const ratio = `${(now / atRest).toFixed(1)} times the ${ms(atRest)} at rest`;
      return `${what}: p95 ${ms(now)}, ${ratio}${tail}, worst ${ms(percentile(attack, 1))}; ${rest.length} + ${attack.length} samples`;
    });
  }

  /** Says what the watch never saw during the attack; null where it saw all. Without samples nobody knows who waited. */
  get blindness(): string | null {
    const unseen = measured.filter((what) => timesOf(this.attack, what).length === 0);
    if (this.hasDied) return 'the process that watches has ended';
    return unseen.length > 0 ? `no sample of ${unseen.join(', ')} during the attack` : null;
  }

  /** Too few waits were seen during the attack: it was short, or the machine slow. */
  get shortages(): string[] {
    return measured.flatMap((what) => {
      const { length } = timesOf(this.attack, what);
      return length < leastSamples
        ? [`${what} was measured ${length} times during the attack, and should be at least ${leastSamples}`]
        : [];
    });
  }

  get verdict(): Verdict {
    const all = [...this.rest, ...this.attack];
    const failures = all.filter(({ failure }) => failure !== null);
    const shown = [...Map.groupBy(failures, ({ what, failure }) => `${what}: ${failure}`)];
    return {
      what: 'the other organisation is never refused and never waits in vain',
      isFine: failures.length === 0,
      figures: `${failures.length} of ${all.length}${shown.map(([text, { length }]) => `; ${length} x ${text.slice(0, 200)}`).join('')}`,
    };
  }
}

const timesOf = (samples: readonly Sample[], what: Measured): number[] =>
  samples.flatMap((sample) => (sample.what === what ? [sample.ms] : []));

const ms = (value: number): string => `${Math.round(value)} ms`;

/** By the nearest rank; infinite without samples. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.POSITIVE_INFINITY;
}
