import type { Evidence } from './evidence.ts';
import type { MockProvider } from './provider.ts';
import type { Ended, Product } from './product.ts';
import { within } from './product.ts';
import { between, pause } from './world.ts';

export const failpoints = ['effect-committed', 'logged-not-committed', 'claimed-no-frame'] as const;
export type KillPlan =
  | { readonly kind: 'random'; readonly epoch: 'first' | 'any' }
  | { readonly kind: 'failpoint'; readonly name: (typeof failpoints)[number]; readonly nth: number };
export type KillCounts = { random: number; failpoint: number };

/** After an observed first token. On a busy machine it can be later, which counts while the answer is being written. */
const delays = { least: 50, most: 1_450 };
const firstTokenWithinMs = 300_000;
const failpointWithinMs = 300_000;

/**
 * After each two random kills one at a failpoint; every fourth random one may hit an answer that was resumed already.
 */
export function planKills(wanted: {
  random: number;
  failpoint: number;
  names?: readonly (typeof failpoints)[number][];
}): KillPlan[] {
  const names = wanted.names ?? failpoints;
  const plans: KillPlan[] = [];
  for (let random = 0, failpoint = 0; random < wanted.random || failpoint < wanted.failpoint;) {
    for (let twice = 0; twice < 2 && random < wanted.random; twice += 1, random += 1)
      plans.push({ kind: 'random', epoch: random % 4 === 3 ? 'any' : 'first' });
    if (failpoint < wanted.failpoint)
      plans.push({ kind: 'failpoint', name: names[failpoint % names.length]!, nth: between(1, 40) });
    failpoint += 1;
  }
  return plans;
}

/** Kills and starts again, as planned, while people are at work. */
export class Killer {
  readonly counts: KillCounts = { random: 0, failpoint: 0 };
  private readonly product: Product;
  private readonly provider: MockProvider;
  private readonly evidence: Evidence;
  private readonly workersOf: (life: number) => number;

  constructor(parts: {
    product: Product;
    provider: MockProvider;
    evidence: Evidence;
    workersOf: (life: number) => number;
  }) {
    this.product = parts.product;
    this.provider = parts.provider;
    this.evidence = parts.evidence;
    this.workersOf = parts.workersOf;
  }

  async start(failpoint: string | null = null): Promise<boolean> {
    this.provider.life = this.product.life + 1;
    const workers = String(this.workersOf(this.provider.life));
    return this.product.start({
      PARLEY_TEST_WORKERS: workers,
      ...(failpoint !== null && { PARLEY_TEST_FAILPOINT: failpoint }),
    });
  }

  /** For a start that must succeed. */
  async startOrFail(): Promise<void> {
    if (!(await this.start())) throw new Error(`The product did not start again: ${this.product.said}`);
  }

  /** As an operator stops it: it has to end well. */
  async stopOrFail(): Promise<void> {
    const stopped = await this.product.stop();
    if (stopped.code !== 0)
      throw new Error(`A graceful stop ended with ${String(stopped.code ?? stopped.signal)}: ${this.product.said}`);
  }

  async carryOut(plan: KillPlan, label: string): Promise<void> {
    const how = plan.kind === 'random' ? await this.killInAnswer(plan.epoch) : await this.killAtFailpoint(plan);
    const from = performance.now();
    await this.startOrFail();
    console.log(
      `${label}: ${how}; ready again after ${((performance.now() - from) / 1_000).toFixed(1)} s; acked ${this.evidence.acked}`,
    );
  }

  private async killInAnswer(epoch: 'first' | 'any'): Promise<string> {
    const seen = this.evidence.nextFirstToken((token) => epoch === 'any' || token.epoch === 1);
    const token = await within(firstTokenWithinMs, 'a first token of a long answer should be seen', seen);
    const delayMs = between(delays.least, delays.most);
    await pause(Math.max(0, token.at + delayMs - performance.now()));
    const tookMs = Math.round(performance.now() - token.at);
    const ended = await this.product.kill();
    expectKilled(ended, this.product);
    const isInAnswer = !this.evidence.hasEnded(token);
    if (isInAnswer) this.counts.random += 1;
    return `killed ${tookMs} ms after the first token of attempt ${token.epoch}${isInAnswer ? '' : ', which had ended: not counted'}`;
  }

  /** The process that runs is ended as by an operator; the next one kills itself. */
  private async killAtFailpoint({ name, nth }: Extract<KillPlan, { kind: 'failpoint' }>): Promise<string> {
    await this.stopOrFail();
    const wasReady = await this.start(`${name}:${nth}`);
    expectKilled(await this.product.ended(failpointWithinMs), this.product);
    this.counts.failpoint += 1;
    return `killed itself at ${name}, time ${nth}${wasReady ? '' : ', before it was ready'}`;
  }
}

function expectKilled({ code, signal }: Ended, product: Product): void {
  if (signal !== 'SIGKILL')
    throw new Error(`The process ended by itself with ${String(code ?? signal)}: ${product.said}`);
}
