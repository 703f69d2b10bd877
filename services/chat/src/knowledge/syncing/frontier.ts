import type { ConnectionId } from '@parley/contracts';
import { isDuplicateKey, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { createHash } from 'node:crypto';
import { syncAddressRows } from './sync-address.collection.ts';

export type Found = { readonly address: string; readonly depth: number };
/** The addresses of a site that were found, each once, up to a limit; those nearest to the start come first. */
export type Frontier = {
  readonly size: number;
  /** There were more than the limit. */
  readonly isCut: boolean;
  next(): Promise<Found | null>;
  /** What is known already is left out. */
  add(found: readonly Found[]): Promise<void>;
  visited(found: Found, tx?: Transaction): Promise<void>;
};

/** For a dry run. */
export class MemoryFrontier implements Frontier {
  private readonly known = new Set<string>();
  private readonly waiting: Found[] = [];
  isCut = false;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.known.size;
  }

  async next(): Promise<Found | null> {
    return this.waiting[0] ?? null;
  }

  async add(found: readonly Found[]): Promise<void> {
    for (const each of found) {
      if (this.known.has(each.address)) continue;
      if (this.known.size >= this.limit) this.isCut = true;
      else {
        this.known.add(each.address);
        this.waiting.push(each);
      }
    }
  }

  async visited(): Promise<void> {
    this.waiting.shift();
  }
}

const addedAtOnce = 200;

/** For a sync: it survives its worker. */
export class StoredFrontier implements Frontier {
  isCut = false;
  private readonly rows: ReturnType<Rows<typeof syncAddressRows>['within']>;

  private constructor(
    private readonly addresses: Rows<typeof syncAddressRows>,
    private readonly owner: { readonly scope: OrganisationScope; readonly id: ConnectionId; readonly run: number },
    private readonly limit: number,
    private count: number,
  ) {
    this.rows = addresses.within(owner.scope);
  }

  static async open(
    addresses: Rows<typeof syncAddressRows>,
    owner: { readonly scope: OrganisationScope; readonly id: ConnectionId; readonly run: number },
    limit: number,
  ): Promise<StoredFrontier> {
    const rows = addresses.within(owner.scope);
    const { id: connectionId, run } = owner;
    let count = 0;
    for (const isVisited of [false, true]) count += await rows.count({ connectionId, run, isVisited });
    return new StoredFrontier(addresses, owner, limit, count);
  }

  get size(): number {
    return this.count;
  }

  async next(): Promise<Found | null> {
    const { id: connectionId, run } = this.owner;
    return this.rows.findOne({ connectionId, run, isVisited: false }, { sort: { depth: 1 } });
  }

  async add(found: readonly Found[]): Promise<void> {
    for (let at = 0; at < found.length; at += addedAtOnce) await this.addSome(found.slice(at, at + addedAtOnce));
  }

  async visited({ address }: Found, tx?: Transaction): Promise<void> {
    const rows = this.addresses.within(this.owner.scope, tx);
    await rows.update({ _id: this.idOf(address) }, { $set: { isVisited: true } });
  }

  /** Of this sync and those before. */
  async clear(): Promise<void> {
    await this.rows.deleteMany({ connectionId: this.owner.id, run: { $lte: this.owner.run } });
  }

  private async addSome(found: readonly Found[]): Promise<void> {
    const ids = found.map(({ address }) => this.idOf(address));
    const known = new Set((await this.rows.find({ _id: { $in: ids } }, { fields: ['_id'] })).map(({ _id }) => _id));
    for (const { address, depth } of found) {
      const _id = this.idOf(address);
      if (known.has(_id)) continue;
      known.add(_id);
      if (this.count >= this.limit) {
        this.isCut = true;
        return;
      }
      const { scope, id: connectionId, run } = this.owner;
      try {
        await this.rows.insert({ _id, orgId: scope.orgId, connectionId, run, address, depth, isVisited: false });
        this.count += 1;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  private idOf(address: string): string {
    const hash = createHash('sha256').update(address).digest('base64url').slice(0, 22);
    return `${this.owner.id}/${this.owner.run}/${hash}`;
  }
}
