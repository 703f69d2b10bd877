import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { setTimeout as wait } from 'node:timers/promises';
import { joinByLink } from '../accounts.ts';
import { rssMbOf, type Attacked } from './attacked.ts';
import type { Watched } from './probe-process.ts';
import type { Servers } from './servers.ts';
import { Watch, WatchedClient } from './watched-client.ts';

export const lookEveryMs = 100;
const endsWithinMs = 240_000;
/** Kestrels waits at most so long for what others don't keep it from. It takes some seconds. */
export const soonMs = 120_000;
export const password = 'three quiet herons';

/** One attack, or one person's wish meanwhile. Throws when the product fails it; resolves with what was seen. */
export type Case = { readonly name: string; run(world: World): Promise<string> };

/** The running product with an ordinary organisation, and how people who attack come in. */
export class World {
  readonly watch = new Watch();
  /** Owner of the other organisation. */
  other!: WatchedClient;
  /** An ordinary member of the other organisation, who attacks it. */
  insider!: WatchedClient;
  private people = 0;

  constructor(
    readonly servers: Servers,
    private readonly attacked: Attacked,
  ) {}

  /** Founds the other organisation; resolves with whom to watch. */
  async found(modelAddress: string): Promise<Watched> {
    this.other = await this.newPerson({ organisation: 'Kestrels' });
    await this.attacked.approve(this.other.orgId!);
    await this.useModel(this.other, `http://${modelAddress}`);
    const watched = [await this.newPerson(), await this.newPerson(), await this.newPerson()];
    this.insider = await this.newPerson();
    this.other.isPersistent = false;
    for (const member of [...watched, this.insider]) await joinByLink(this.other, member);
    const people = watched.map(({ me }) => ({ email: me?.email ?? '', password }));
    return { url: this.url, orgId: this.other.orgId!, people };
  }

  get url(): string {
    return this.attacked.url;
  }

  /** Comes from a network of their own unless one is named; with an organisation's name also its owner. */
  async newPerson({ organisation, network, invitation }: Coming = {}): Promise<WatchedClient> {
    this.people += 1;
    const client = this.visitor(network);
    const [name, email] = [`Person ${this.people}`, `person${this.people}@example.com`];
    await client.register({ name, email, password, ...(invitation && { invitation }) });
    if (organisation !== undefined) await client.createOrganisation(organisation);
    return client;
  }

  /** Nobody who is signed in. */
  visitor(network = `100.64.${this.people % 250}`): WatchedClient {
    const client = new WatchedClient(this.url, this.watch);
    client.address = `${network}.7`;
    return client;
  }

  /** Makes this model the one of the client's organisation. */
  async useModel(client: WatchedClient, url: string): Promise<void> {
    const models = { models: ['mock'], defaultModel: 'mock', isDefault: true };
    await client.call('POST /api/chat/providers', {
      body: { id: newId('provider'), name: 'Mock', baseUrl: `${url}/v1`, ...models },
    });
  }

  /** Asks, and waits until the answer has ended; resolves with its failure. */
  async ask(client: WatchedClient, conversationId: ConversationId, text: string): Promise<string | null> {
    await client.send(conversationId, text);
    const withinMs = client === this.other ? soonMs : endsWithinMs;
    return eventually(
      async () => {
        // Asking all the time would be an attack of its own.
        await wait(lookEveryMs);
        const [answer] = (await client.messages(conversationId, { limit: 1 })).items;
        if (answer?.role !== 'assistant' || ['queued', 'running'].includes(answer.generation?.status ?? 'queued'))
          throw new Error(`The answer is ${answer?.generation?.status}.`);
        return answer.generation?.failure ?? null;
      },
      'the answer should end',
      withinMs,
    );
  }

  /** What the attacked processes have in memory now, in MB; null where the system doesn't say. */
  rssMb(): number | null {
    return rssMbOf(this.attacked.pids);
  }
}

type Coming = {
  readonly organisation?: string;
  readonly network?: string;
  /** The secret of an invitation by which the person registers. */
  readonly invitation?: string;
};

/** Runs `act` for 0 to `count` - 1, so many at once. */
export async function many(count: number, atOnce: number, act: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await act(at);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** How often each status came, in words. Throws when one of them isn't expected. */
export function tally(statuses: readonly number[], expected: readonly number[]): string {
  const counts = [...Map.groupBy(statuses, (status) => status)].map(([status, { length }]) => `${length} x ${status}`);
  const words = counts.toSorted().join(', ');
  if (statuses.some((status) => !expected.includes(status)))
    throw new Error(`Not only ${expected.join(', ')}: ${words}`);
  return words;
}

/** The secret of a new key of this person. */
export async function aKey(client: WatchedClient, permissions: ('events:read' | 'chat:create')[]): Promise<string> {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { id: newId('apiKey'), name: 'Program', permissions, endsAt };
  return (await client.call('POST /api/auth/my-api-keys', { body })).secret ?? '';
}
