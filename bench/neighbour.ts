import { newId } from '@parley/platform/ids';
import { firstToken, ParleyClient, type LiveSocket } from '@parley/testing/client';
import { percentile, wait } from './product.ts';

export const waits = ['list', 'search', 'upload to searchable', 'first token', 'email'] as const;
export type Wait = (typeof waits)[number];
/** In milliseconds, by the nearest rank; and how many were refused or took too long. */
export type Waits = { readonly p95: Readonly<Record<Wait, number>>; readonly failed: number };

const restMs: Readonly<Record<Wait, number>> = {
  list: 100,
  search: 250,
  'upload to searchable': 200,
  'first token': 300,
  email: 600,
};
const lookAgainMs = 50;
const mostMs = 60_000;

/** Somebody of another organisation, who waits for one thing after the other. */
export class Neighbour {
  private readonly client: ParleyClient;
  private socket!: LiveSocket;

  private constructor(url: string) {
    this.client = new ParleyClient(url);
    this.client.address = '203.0.113.9';
  }

  static async found(url: string, modelUrl: string): Promise<Neighbour> {
    const neighbour = new Neighbour(url);
    const { client } = neighbour;
    const email = `${newId('user').toLowerCase()}@example.com`;
    await client.register({ name: 'Neighbour', email, password: 'three quiet herons' });
    await client.createOrganisation('Neighbour');
    const models = { models: ['m'], defaultModel: 'm', isDefault: true };
    await client.call('POST /api/chat/providers', {
      body: { id: newId('provider'), name: 'Mock', baseUrl: modelUrl, ...models },
    });
    neighbour.socket = client.socket();
    return neighbour;
  }

  /** Does all of it side by side for so long, and ends what has begun by then. */
  async measure(forMs: number): Promise<Waits> {
    const until = performance.now() + forMs;
    const times = Object.fromEntries(waits.map((what) => [what, [] as number[]])) as Record<Wait, number[]>;
    let failed = 0;
    const repeat = async (what: Wait): Promise<void> => {
      do {
        const begunAt = performance.now();
        const isDone = await this.act(what).then(
          () => true,
          () => false,
        );
        if (!isDone) failed += 1;
        // What was refused took too long.
        times[what].push(isDone ? performance.now() - begunAt : mostMs);
        await wait(restMs[what]);
      } while (performance.now() < until);
    };
    await Promise.all(waits.map(repeat));
    const p95 = Object.fromEntries(waits.map((what) => [what, percentile(times[what], 0.95)]));
    return { p95: p95 as Record<Wait, number>, failed };
  }

  leave(): void {
    this.socket.close();
  }

  private async act(what: Wait): Promise<unknown> {
    switch (what) {
      case 'list':
        return this.client.call('GET /api/chat/conversations');
      case 'search':
        return this.client.call('GET /api/chat/search', { query: { q: 'rate' } });
      case 'first token':
        return within(firstToken(this.client, this.socket, { text: 'tokens=10 rate=80', withinMs: mostMs }));
      case 'upload to searchable':
        return this.upload();
      case 'email':
        return this.invite();
    }
  }

  private async upload(): Promise<void> {
    const { id } = await this.client.upload('note.md', 'Herons sleep standing.');
    await this.until(async () => {
      const { items } = await this.client.call('GET /api/chat/documents');
      return items.find((document) => document.id === id)?.status === 'searchable';
    });
  }

  private async invite(): Promise<void> {
    const id = newId('invitation');
    const people = [{ id, email: `${id.toLowerCase()}@example.org` }];
    const wanted = { role: 'guest' as const, groupIds: [], message: null, locale: 'en' as const, days: 7 as const };
    await this.client.call('POST /api/org/invitations', { body: { ...wanted, people } });
    await this.until(async () => {
      const { items } = await this.client.call('GET /api/org/invitations');
      return items.find((invitation) => invitation.id === id)?.mail !== 'waiting';
    });
  }

  private async until(check: () => Promise<boolean>): Promise<void> {
    for (const deadline = performance.now() + mostMs; !(await check());) {
      if (performance.now() > deadline) throw new Error('It took too long.');
      await wait(lookAgainMs);
    }
  }
}

function within<Result>(result: Promise<Result>): Promise<Result> {
  return Promise.race([result, wait(mostMs).then(() => Promise.reject(new Error('It took too long.')))]);
}
