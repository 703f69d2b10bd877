import { Injectable } from '@nestjs/common';
import { findPriced, type ModelPrice } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import type { OrgId } from '@parley/protocol';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';

/** After a failure, billing isn't asked for this long (ms), so that lists of models don't wait for it. */
const awayMs = 5_000;
const deadlineMs = 2_000;
/** A list of models waits this long (ms) for billing; after that it uses the last known prices. */
const patienceMs = 500;
/** The most models in one request to billing; any further models are listed without a price. */
const mostAsked = 5_000;
/** Of all organisations. */
const mostKept = 100_000;

type Upstream = { readonly host: string; readonly model: string };
type Prices = ReadonlyMap<string, ModelPrice | null>;
type Asked = { readonly prices: Prices; readonly changesInSeconds?: number };
export type CurrentPrices = {
  /** Returns null if the model has no price, undefined if its price is unknown. */
  readonly priceOf: (upstream: Upstream) => ModelPrice | null | undefined;
  /**
   * Seconds until a price begins or ends, at most a day. Missing if no change is scheduled or billing didn't answer.
   */
  readonly changesInSeconds?: number;
};

/**
 * Asks billing for the prices of an organisation's models for each list, so that a tab that reads the list again after
 * a change gets new prices.
 */
@Injectable()
export class ModelPrices {
  /** The last known prices, for lists while billing is slow. */
  private readonly last = new LRUCache<OrgId, Prices>({ maxSize: mostKept, sizeCalculation: ({ size }) => size + 1 });
  private awayUntil = 0;

  constructor(
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  /** Waits for 500 ms at most, and never fails: while billing is unavailable, prices are unknown. */
  async of({ orgId }: OrganisationScope, upstreams: readonly Upstream[]): Promise<CurrentPrices> {
    const asked = upstreams.slice(0, mostAsked).map(({ host, model }) => ({ host, model }));
    if (asked.length === 0 || this.clock.now().getTime() < this.awayUntil) return { priceOf: () => undefined };
    const ended = new AbortController();
    const last = this.last.get(orgId);
    const late = wait(patienceMs, last && { prices: last }, { ref: false, signal: ended.signal }).catch(
      () => undefined,
    );
    const current: Asked | undefined = await Promise.race([this.ask(orgId, asked), late]);
    ended.abort();
    const { prices, ...rest } = current ?? {};
    return { priceOf: (upstream) => prices?.get(nameOf(upstream)), ...rest };
  }

  /** Resolves with undefined if billing is unavailable. */
  private async ask(orgId: OrgId, upstreams: readonly Upstream[]): Promise<Asked | undefined> {
    try {
      const { prices, currency, changesInSeconds } = await this.platform.peers.call(
        findPriced,
        { body: { upstreams: [...upstreams] } },
        { deadlineMs, failMode: { otherwise: { prices: undefined, currency: undefined, changesInSeconds: null } } },
      );
      // A billing process of 0.2.0 doesn't return prices.
      if (prices === undefined || currency === undefined) return this.away();
      const priceAt = (at: number): ModelPrice | null => {
        const price = prices[at];
        return price && currency ? { ...price, currency } : null;
      };
      const known = new Map(upstreams.map((upstream, at) => [nameOf(upstream), priceAt(at)]));
      this.last.set(orgId, known);
      return { prices: known, ...(changesInSeconds && { changesInSeconds }) };
    } catch (error) {
      this.platform.logger.warn({ orgId, err: error }, 'models are listed without prices');
      return this.away();
    }
  }

  private away(): undefined {
    this.awayUntil = this.clock.now().getTime() + awayMs;
  }
}

const nameOf = ({ host, model }: Upstream): string => `${host} ${model}`;
