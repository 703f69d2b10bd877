import { Injectable } from '@nestjs/common';
import { otherId, type DataOf, type EventEnvelope, type generationAttemptEnded } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { Transaction } from '@parley/platform/mongo';
import { TimeZones } from '../all-organisations/index.ts';
import { keptMs } from './metric.collection.ts';
import { startOf } from './metric-steps.ts';
import { addTo, countedApart, dimensions, metricIdOf, providerOf, steps, sumsOf, type Dimension } from './metric.ts';
import { MetricsRepository, type Addition } from './metrics.repository.ts';

type Attempt = EventEnvelope<DataOf<typeof generationAttemptEnded>>;
type Named = { readonly attempt: Attempt['data']; readonly at: Date; readonly day: string; readonly timeZone: string };

/** Adds ended attempts up by minute, hour and day: what a batch adds to one row is one write. */
@Injectable()
export class CountAttempts {
  constructor(
    private readonly metrics: MetricsRepository,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
  ) {}

  async count(events: readonly Attempt[], tx: Transaction): Promise<void> {
    const named: Named[] = [];
    for (const { data, time } of events) {
      const timeZone = await this.zones.of(data.orgId);
      const at = new Date(data.endedAt ?? time);
      named.push({ attempt: data, at, timeZone, day: startOf('day', at, timeZone) });
    }
    const apart = await this.countedApart(named, tx);
    const additions = new Map<string, Addition>();
    for (const one of named)
      for (const dimension of dimensions) {
        const { orgId } = one.attempt;
        const own = idIn(dimension, one.attempt);
        if (own === null) continue;
        const id = apart.has(metricIdOf({ orgId, dimension, start: one.day, id: own })) ? own : otherId;
        this.addStep(additions, { one, dimension, id: dimension === 'all' ? own : id });
      }
    await this.metrics.add([...additions.values()], tx);
    const late = named.filter(({ day, timeZone }) => day < startOf('day', this.clock.now(), timeZone));
    await this.metrics.markLate(new Set(late.map(({ attempt }) => attempt.orgId)), tx);
  }

  private addStep(
    additions: Map<string, Addition>,
    { one, dimension, id }: { readonly one: Named; readonly dimension: Dimension; readonly id: string },
  ): void {
    const { attempt, at, timeZone } = one;
    const age = this.clock.now().getTime() - at.getTime();
    for (const step of steps) {
      if (age > (keptMs[step] ?? Infinity)) continue;
      const place = { orgId: attempt.orgId, dimension, start: startOf(step, at, timeZone), id };
      const key = `${step}/${metricIdOf(place)}`;
      const known = additions.get(key);
      const sums = known?.sums ?? {};
      addTo(sums, sumsOf(attempt));
      additions.set(key, { ...place, step, sums, at: known && known.at > at ? known.at : at });
    }
  }

  /** The ids of the days' rows that models, providers and chatbots of these attempts have, or get. */
  private async countedApart(named: readonly Named[], tx: Transaction): Promise<Set<string>> {
    const places = named.flatMap(({ attempt, day: start }) =>
      (['model', 'provider', 'chatbot'] as const).flatMap((dimension) => {
        const id = idIn(dimension, attempt);
        return id === null ? [] : { orgId: attempt.orgId, dimension, start, id };
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

/** Null where it is of none: of versions without chatbots. */
function idIn(dimension: Dimension, attempt: Attempt['data']): string | null {
  switch (dimension) {
    case 'all':
      return 'all';
    case 'model':
      return attempt.model;
    case 'provider':
      return providerOf(attempt);
    case 'chatbot':
      return attempt.chatbot?.id ?? null;
  }
}
