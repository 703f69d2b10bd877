import { costClasses, ratesOf, type CostClass, type Rates } from '@parley/contracts';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import type { Counts } from '@parley/platform/counts';

type Owner = keyof Rates;
type Rate = { readonly cost: CostClass; readonly owner: Owner; readonly most: number };
/** Requests a minute of each class. */
export type RateTable = Readonly<Record<CostClass, Rates>>;
/** Names who asks; `orgId` is null outside of an organisation. */
export type Caller = {
  readonly userId: UserId;
  readonly orgId: OrgId | null;
  /** The id of the API key that was shown. */
  readonly key?: string;
};
/** What is left of a person's rate. */
export type Allowance = { readonly most: number; readonly left: number; readonly secondsLeft: number };

/**
 * How often each person, organisation and visitor's address may ask in a minute, by what a request costs. One too many
 * is `platform.rate-limited`, and counts for nobody else: who is refused uses nothing of their organisation's rate.
 */
export class RateLimits {
  private readonly counts: Counts;
  private readonly table: RateTable;

  constructor(counts: Counts, table: RateTable) {
    this.counts = counts;
    this.table = table;
  }

  async visitor(cost: CostClass, address: string): Promise<void> {
    await this.count(cost, 'address', address);
  }

  /** Refuses an address that has had its share of this minute, and counts nothing. */
  async checkVisitor(cost: CostClass, address: string): Promise<void> {
    const most = this.table[cost].address;
    if (most === undefined) return;
    const { count, endsAt } = await this.counts.counted(keyOf(cost, 'address', address));
    if (count > most) throw refusal({ cost, owner: 'address', most }, endsAt);
  }

  person(cost: CostClass, userId: UserId): Promise<Allowance | null> {
    return this.count(cost, 'person', userId);
  }

  /** Counts a request of a person who was counted before; `orgId` is null outside of an organisation. */
  async organisation(cost: CostClass, orgId: OrgId | null): Promise<void> {
    if (orgId !== null) await this.count(cost, 'organisation', orgId);
  }

  private async count(cost: CostClass, owner: Owner, who: string): Promise<Allowance | null> {
    const most = this.table[cost][owner];
    if (most === undefined) return null;
    const { count, endsAt } = await this.counts.count(keyOf(cost, owner, who));
    if (count > most) throw refusal({ cost, owner, most }, endsAt);
    return { most, left: most - count, secondsLeft: secondsUntil(endsAt) };
  }
}

const keyOf = (cost: CostClass, owner: Owner, who: string): string => `rate:${cost}:${owner}:${who}`;

const secondsUntil = (at: number): number => Math.max(1, Math.ceil((at - Date.now()) / 1_000));

const subjects = { person: 'You have', organisation: 'Your organisation has', address: 'Your network has' } as const;

function refusal({ cost, owner, most }: Rate, endsAt: number): Problem {
  const retryAfterSeconds = secondsUntil(endsAt);
  const detail = `${subjects[owner]} asked ${most} times within a minute, which is the limit (${costClasses[cost].what.toLowerCase()}). Try again in ${retryAfterSeconds} s.`;
  return new Problem('platform.rate-limited', { detail, retryAfterSeconds });
}

/** Returns the table of the contracts, with what a setting changes of it: `question.person=1200,*.address=600`. */
export function rateTable(changes: readonly RateChange[] = []): RateTable {
  const costs = Object.keys(costClasses) as CostClass[];
  return Object.fromEntries(costs.map((cost) => [cost, changed(cost, changes)])) as RateTable;
}

export type RateChange = Omit<Rate, 'cost'> & { readonly cost: CostClass | '*' };

function changed(cost: CostClass, changes: readonly RateChange[]): Rates {
  const of = changes.filter((change) => change.cost === cost || change.cost === '*');
  const rates = ratesOf(cost);
  const known = of.filter(({ owner }) => rates[owner] !== undefined);
  return { ...rates, ...Object.fromEntries(known.map(({ owner, most }) => [owner, most])) };
}
