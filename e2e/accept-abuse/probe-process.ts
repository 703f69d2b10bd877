// What the other organisation's people do all the time, in a process of its own: the attack must not make the watch late.
import type { OrgId } from '@parley/protocol';
import { firstToken, ParleyClient, RefusedCall } from '@parley/testing/client';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { within } from '../accept-kill/product.ts';
import { listen, quickModel } from './servers.ts';

export type Measured = 'sign-in' | 'list' | 'first token';
export type Sample = {
  readonly what: Measured;
  readonly ms: number;
  /** Why there is no answer: it was refused, or late. Null where there is one. */
  readonly failure: string | null;
};
export type Watched = {
  readonly url: string;
  readonly orgId: OrgId;
  readonly people: readonly { readonly email: string; readonly password: string }[];
};
export type ToProbe = Watched | 'attack';
/** By how much the watch itself was late since the attack began: that much of what it measures is its own. */
export type Lag = { readonly p95Ms: number; readonly worstMs: number };
export type FromProbe = { readonly address: string } | { readonly sample: Sample; readonly lag: Lag };

/** Seldom enough to be no load of its own: half of the machine went to the watch when it asked five questions a second. */
const everyMs: Record<Measured, number> = { 'sign-in': 1_000, list: 150, 'first token': 1_000 };
const withinMs: Record<Measured, number> = { 'sign-in': 15_000, list: 15_000, 'first token': 30_000 };
/** Networks that people come from: a network has ten sign-ins a minute. */
const networks = 24;

const lagEveryMs = 10;
const delays = monitorEventLoopDelay({ resolution: lagEveryMs });
delays.enable();
const inMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - lagEveryMs);

const say = (message: FromProbe): void => void process.send?.(message);
say({ address: await listen(createServer(quickModel)) });
process.on('message', (order: ToProbe) => {
  if (order === 'attack') delays.reset();
  else void probe(order);
});
process.once('disconnect', () => process.exit());

async function probe({ url, orgId, people }: Watched): Promise<void> {
  let turn = 0;
  const arrive = async (): Promise<ParleyClient> => {
    turn += 1;
    const { email, password } = people[turn % people.length]!;
    const client = new ParleyClient(url);
    client.address = `203.0.${turn % networks}.9`;
    await client.signIn(email, password);
    client.orgId = orgId;
    return client;
  };
  const first = await arrive();
  void repeat('sign-in', arrive);
  void repeat('list', () => first.call('GET /api/chat/conversations'));
  for (let asker = 0; asker < 2; asker += 1) {
    const client = await arrive();
    const socket = client.socket();
    const question = { text: 'When do herons sleep?', withinMs: withinMs['first token'] };
    void repeat('first token', () => firstToken(client, socket, question));
  }
}

async function repeat(what: Measured, act: () => Promise<unknown>): Promise<never> {
  for (;;) {
    const begunAt = performance.now();
    let failure: string | null = null;
    try {
      await within(withinMs[what], what, act());
    } catch (error) {
      failure = error instanceof RefusedCall ? error.message : String(error);
    }
    const ms = performance.now() - begunAt;
    const lag = { p95Ms: inMs(delays.percentile(95)), worstMs: inMs(delays.max) };
    say({ sample: { what, ms, failure }, lag });
    await wait(Math.max(50, everyMs[what] - ms));
  }
}
