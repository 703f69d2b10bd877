import { Injectable } from '@nestjs/common';
import { findPriced, type ModelPrice, type OrgId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';

const keptMs = 60_000;
/** While billing is away nobody waits for it again, and it is asked this often. */
const awayMs = 5_000;
const deadlineMs = 2_000;
/** A list of models waits no longer: then it comes without prices. */
const patienceMs = 150;
/** In one question to billing; further models have no price here. */
const mostAsked = 5_000;
/** Of all organisations. */
const mostKept = 100_000;

type Upstream = { readonly host: string; readonly model: string };
/** Null: none is set; undefined: not known. */
export type PriceOf = (upstream: Upstream) => ModelPrice | null | undefined;
type Known = {
  readonly until: number;
  readonly isAway: boolean;
  readonly prices: ReadonlyMap<string, ModelPrice | null>;
};

/** What the models of an organisation cost, as billing said in the last minute. */
@Injectable()
export class ModelPrices {
  private readonly known = new LRUCache<OrgId, Known>({
    maxSize: mostKept,
    sizeCalculation: ({ prices }) => prices.size + 1,
  });
  private readonly asking = new Map<OrgId, Promise<void>>();

  constructor(
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  /** Waits a moment at most, and never fails: while billing is away no price is known. */
  async of({ orgId }: OrganisationScope, upstreams: readonly Upstream[]): Promise<PriceOf> {
    const asked = upstreams.slice(0, mostAsked).map(({ host, model }) => ({ host, model }));
    if (asked.length > 0 && !this.isKnown(orgId, asked)) {
      const asking = this.asking.get(orgId) ?? this.ask(orgId, asked);
      this.asking.set(orgId, asking);
      const ended = new AbortController();
      const late = wait(patienceMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
      await Promise.race([asking, late]);
      ended.abort();
    }
    const prices = this.known.get(orgId)?.prices;
    return (upstream) => prices?.get(nameOf(upstream));
  }

  private isKnown(orgId: OrgId, asked: readonly Upstream[]): boolean {
    const known = this.known.get(orgId);
    if (!known || known.until <= this.clock.now().getTime()) return false;
    return known.isAway || asked.every((upstream) => known.prices.has(nameOf(upstream)));
  }

  private async ask(orgId: OrgId, upstreams: readonly Upstream[]): Promise<void> {
    try {
      const { prices, currency } = await this.platform.peers.call(
        findPriced,
        { body: { upstreams: [...upstreams] } },
        { deadlineMs, failMode: { otherwise: { prices: undefined, currency: undefined } } },
      );
      // One of 0.2.0 does not say them.
      const isAway = prices === undefined || currency === undefined;
      const priceAt = (at: number): ModelPrice | null => {
        const price = prices?.[at];
        return price && currency ? { ...price, currency } : null;
      };
      this.known.set(orgId, {
        until: this.clock.now().getTime() + (isAway ? awayMs : keptMs),
        isAway,
        prices: new Map(isAway ? [] : upstreams.map((upstream, at) => [nameOf(upstream), priceAt(at)])),
      });
    } catch (error) {
      this.platform.logger.warn({ orgId, err: error }, 'models are listed without prices');
      this.known.set(orgId, { until: this.clock.now().getTime() + awayMs, isAway: true, prices: new Map() });
    } finally {
      this.asking.delete(orgId);
    }
  }
}

const nameOf = ({ host, model }: Upstream): string => `${host} ${model}`;
