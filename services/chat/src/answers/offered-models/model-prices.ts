import { Injectable } from '@nestjs/common';
import { findPriced, type ModelPrice } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import type { OrgId } from '@parley/protocol';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';

/** While billing is away nobody waits for it again, and it is asked this often. */
const awayMs = 5_000;
const deadlineMs = 2_000;
/** A list of models waits no longer: then it comes with the prices of before. */
const patienceMs = 500;
/** In one question to billing; further models have no price here. */
const mostAsked = 5_000;
/** Of all organisations. */
const mostKept = 100_000;

type Upstream = { readonly host: string; readonly model: string };
type Prices = ReadonlyMap<string, ModelPrice | null>;
/** Null: none is set; undefined: not known. */
export type PriceOf = (upstream: Upstream) => ModelPrice | null | undefined;

/**
 * Asks billing what the models of an organisation cost, for each list: a tab that reads it again because prices have
 * changed gets those of now.
 */
@Injectable()
export class ModelPrices {
  /** For lists that come while billing is slow. */
  private readonly last = new LRUCache<OrgId, Prices>({ maxSize: mostKept, sizeCalculation: ({ size }) => size + 1 });
  private awayUntil = 0;

  constructor(
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  /** Waits a moment at most, and never fails: while billing is away no price is known. */
  async of({ orgId }: OrganisationScope, upstreams: readonly Upstream[]): Promise<PriceOf> {
    const asked = upstreams.slice(0, mostAsked).map(({ host, model }) => ({ host, model }));
    if (asked.length === 0 || this.clock.now().getTime() < this.awayUntil) return () => undefined;
    const ended = new AbortController();
    const late = wait(patienceMs, this.last.get(orgId), { ref: false, signal: ended.signal }).catch(() => undefined);
    const prices = await Promise.race([this.ask(orgId, asked), late]);
    ended.abort();
    return (upstream) => prices?.get(nameOf(upstream));
  }

  /** Resolves with undefined where billing is away. */
  private async ask(orgId: OrgId, upstreams: readonly Upstream[]): Promise<Prices | undefined> {
    try {
      const { prices, currency } = await this.platform.peers.call(
        findPriced,
        { body: { upstreams: [...upstreams] } },
        { deadlineMs, failMode: { otherwise: { prices: undefined, currency: undefined } } },
      );
      // One of 0.2.0 does not say them.
      if (prices === undefined || currency === undefined) return this.away();
      const priceAt = (at: number): ModelPrice | null => {
        const price = prices[at];
        return price && currency ? { ...price, currency } : null;
      };
      const known = new Map(upstreams.map((upstream, at) => [nameOf(upstream), priceAt(at)]));
      this.last.set(orgId, known);
      return known;
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
