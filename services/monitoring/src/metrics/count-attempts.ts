import { Injectable } from '@nestjs/common';
import { otherId, type ChatbotId, type generationAttemptEnded, type ledgerEntryAdded } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { Transaction } from '@parley/platform/mongo';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { TimeZones } from '../all-organisations/index.ts';
import { keptMs } from './metric.collection.ts';
import { startOf } from './metric-steps.ts';
import {
  addTo,
  countedApart,
  dimensions,
  metricIdOf,
  providerOf,
  steps,
  sumsOf,
  sumsOfEmbedding,
  type Dimension,
  type Sums,
} from './metric.ts';
import { MetricsRepository, type Addition } from './metrics.repository.ts';

type Attempt = EventEnvelope<DataOf<typeof generationAttemptEnded>>;
type Entry = EventEnvelope<DataOf<typeof ledgerEntryAdded>>;
/** What a model was used for, and what it adds to the counts. */
type Use = Pick<Attempt['data'], 'orgId' | 'model' | 'upstream'> & {
  /** Null where it was of none: of versions without chatbots, and of passages. */
  readonly chatbotId: ChatbotId | null;
  readonly sums: Sums;
  readonly at: Date;
};
type Named = Use & { readonly day: string; readonly timeZone: string };

/** Adds ended attempts and embeddings up by minute, hour and day: what a batch adds to one row is one write. */
@Injectable()
export class CountAttempts {
  constructor(
    private readonly metrics: MetricsRepository,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
  ) {}

  /** What a budget refused is none: no model was asked. */
  count(events: readonly Attempt[], tx: Transaction): Promise<void> {
    const asked = events.filter(({ data }) => !data.isRefused);
    const uses = asked.map(({ data, time }) => ({
      ...placeOf(data),
      chatbotId: data.chatbot?.id ?? null,
      sums: sumsOf(data),
      at: new Date(data.endedAt ?? time),
    }));
    return this.add(uses, tx);
  }

  /** Counts embeddings from ledger entries, because billing can republish those and chat can't republish its events. */
  countEmbeddings(events: readonly Entry[], tx: Transaction): Promise<void> {
    const uses = events.flatMap(({ data }) =>
      data.kind === 'embedding'
        ? {
            orgId: data.orgId,
            model: data.model,
            upstream: data.host === undefined ? undefined : { host: data.host, model: data.model },
            chatbotId: data.chatbotId ?? null,
            sums: sumsOfEmbedding(data),
            at: new Date(data.at),
          }
        : [],
    );
    return this.add(uses, tx);
  }

  private async add(uses: readonly Use[], tx: Transaction): Promise<void> {
    const named: Named[] = [];
    for (const use of uses) {
      const timeZone = await this.zones.of(use.orgId);
      named.push({ ...use, timeZone, day: startOf('day', use.at, timeZone) });
    }
    const apart = await this.countedApart(named, tx);
    const additions = new Map<string, Addition>();
    for (const one of named)
      for (const dimension of dimensions) {
        const own = idIn(dimension, one);
        if (own === null) continue;
        const id = apart.has(metricIdOf({ orgId: one.orgId, dimension, start: one.day, id: own })) ? own : otherId;
        this.addStep(additions, { one, dimension, id: dimension === 'all' ? own : id });
      }
    await this.metrics.add([...additions.values()], tx);
    const late = named.filter(({ day, timeZone }) => day < startOf('day', this.clock.now(), timeZone));
    await this.metrics.markLate(new Set(late.map(({ orgId }) => orgId)), tx);
  }

  private addStep(
    additions: Map<string, Addition>,
    { one, dimension, id }: { readonly one: Named; readonly dimension: Dimension; readonly id: string },
  ): void {
    const { orgId, at, timeZone } = one;
    const age = this.clock.now().getTime() - at.getTime();
    for (const step of steps) {
      if (age > (keptMs[step] ?? Infinity)) continue;
      const place = { orgId, dimension, start: startOf(step, at, timeZone), id };
      const key = `${step}/${metricIdOf(place)}`;
      const known = additions.get(key);
      const sums = known?.sums ?? {};
      addTo(sums, one.sums);
      additions.set(key, { ...place, step, sums, at: known && known.at > at ? known.at : at });
    }
  }

  /** The ids of the days' rows that models, providers and chatbots of these uses have, or get. */
  private async countedApart(named: readonly Named[], tx: Transaction): Promise<Set<string>> {
    const places = named.flatMap((one) =>
      (['model', 'provider', 'chatbot'] as const).flatMap((dimension) => {
        const id = idIn(dimension, one);
        return id === null ? [] : { orgId: one.orgId, dimension, start: one.day, id };
      }),
    );
    const known = await this.metrics.known(places, tx);
    const apart = new Set<string>();
    const groups = Map.groupBy(places, ({ orgId, dimension, start }) => `${orgId}/${dimension}/${start}`);
    for (const group of groups.values()) {
      const [first] = group;
      const toRow = (id: string) => metricIdOf({ ...first!, id });
      const ids = [...new Set(group.map(({ id }) => id))];
      const there = new Set(ids.filter((id) => known.has(toRow(id))));
      const room = there.size === ids.length ? 0 : await this.metrics.room(first!, tx);
      for (const id of countedApart(ids, there, room)) apart.add(toRow(id));
    }
    return apart;
  }
}

const placeOf = ({ orgId, model, upstream }: Pick<Use, 'orgId' | 'model' | 'upstream'>) => ({ orgId, model, upstream });

/** Null where it is of none. */
function idIn(dimension: Dimension, use: Use): string | null {
  switch (dimension) {
    case 'all':
      return 'all';
    case 'model':
      return use.model;
    case 'provider':
      return providerOf(use);
    case 'chatbot':
      return use.chatbotId;
  }
}
