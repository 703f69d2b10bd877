// What the other organisation's people do all the time, in a thread of its own: the attack must not make the watch late.
import type { OrgId } from '@parley/contracts';
import { firstToken, ParleyClient, RefusedCall } from '@parley/testing/client';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { within } from '../accept-kill/product.ts';
import { listen, quickModel } from './servers.ts';

export type Measured = 'sign-in' | 'list' | 'first token';
export type Sample = {
  readonly what: Measured;
  readonly ms: number;
  /** Why there is no answer: it was refused, or late. Null where there is one. */
  readonly failure: string | null;
};
export type ToProbe = {
  readonly url: string;
  readonly orgId: OrgId;
  readonly people: readonly { readonly email: string; readonly password: string }[];
};
export type FromProbe = { readonly address: string } | { readonly sample: Sample };

/** Seldom enough to be no load of its own: half of the machine went to the watch when it asked five questions a second. */
const everyMs: Record<Measured, number> = { 'sign-in': 1_000, list: 150, 'first token': 1_000 };
const withinMs: Record<Measured, number> = { 'sign-in': 15_000, list: 15_000, 'first token': 30_000 };
/** Networks that people come from: a network has ten sign-ins a minute. */
const networks = 24;

const port = parentPort!;
const say = (message: FromProbe): void => port.postMessage(message);
say({ address: await listen(createServer(quickModel)) });
port.once('message', (order: ToProbe) => void probe(order));

async function probe({ url, orgId, people }: ToProbe): Promise<void> {
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
    say({ sample: { what, ms, failure } });
    await wait(Math.max(50, everyMs[what] - ms));
  }
}
