import { Injectable } from '@nestjs/common';
import { mostModelsOfDay, otherId, type ledgerEntryAdded } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import type { DataOf } from '@parley/protocol';
import { TimeZones } from '../all-organisations/index.ts';
import { countedApart } from '../metrics/index.ts';
import { hours, keptDays, usedFields, type Hour, type Used } from './active-day.collection.ts';
import {
  ActiveDaysRepository,
  dayIdOf,
  type DayAddition,
  type ModelAddition,
  type PersonDay,
} from './active-days.repository.ts';
import { dayAndHour } from './day-and-hour.ts';
import { PseudonymKeys } from './pseudonym-keys.ts';
import { monthOf, pseudonymOf } from './pseudonym.ts';

type Told = DataOf<typeof ledgerEntryAdded>;
/** What nobody asked for is nobody's use. */
type Entry = Told & { readonly userId: NonNullable<Told['userId']> };
type Placed = PersonDay & { readonly entry: Entry; readonly hour: Hour; readonly at: Date };

const counting = jobScope('what people of all organisations used is counted together');
const dayMs = 86_400_000;

/** Adds ledger entries up by person and day; who the person is is forgotten here. */
@Injectable()
export class CountPeople {
  constructor(
    private readonly days: ActiveDaysRepository,
    private readonly keys: PseudonymKeys,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
  ) {}

  async count(told: readonly Told[], tx: Transaction): Promise<void> {
    const entries = told.filter((entry): entry is Entry => entry.userId !== null);
    const oldest = this.clock.now().getTime() - keptDays * dayMs;
    const placed: Placed[] = [];
    for (const entry of entries) {
      const at = new Date(entry.at);
      if (at.getTime() >= oldest) placed.push(await this.place(entry, at));
    }
    const days = new Map<string, DayAddition>();
    const models = new Map<string, ModelAddition>();
    for (const [dayId, own] of Map.groupBy(placed, dayIdOf)) {
      const apart = await this.modelsApart(own, tx);
      for (const one of own) {
        const model = apart.has(one.entry.model) ? one.entry.model : otherId;
        days.set(dayId, withDay(days.get(dayId), one));
        models.set(`${dayId}/${model}`, withModel(models.get(`${dayId}/${model}`), one, model));
      }
    }
    await this.days.add([...days.values()], [...models.values()], tx);
  }

  private async place(entry: Entry, at: Date): Promise<Placed> {
    const { orgId, userId } = entry;
    const { day, hour } = dayAndHour(at, await this.zones.of(orgId));
    const key = await this.keys.of(counting.in(orgId));
    const pseudonym = pseudonymOf(key, { orgId, userId, month: monthOf(day) });
    return { orgId, day, pseudonym, entry, hour: hours[hour]!, at };
  }

  /** On a day the first models that somebody asks are counted apart. */
  private async modelsApart(own: readonly Placed[], tx: Transaction): Promise<Set<string>> {
    const wanted = new Set(own.map(({ entry }) => entry.model));
    if (this.days.areApart(own[0]!, wanted)) return wanted;
    const known = await this.days.modelsOf(own[0]!, tx);
    return countedApart(wanted, known, mostModelsOfDay - known.size);
  }
}

/** An embedding is no attempt of an answer. */
const attemptsOf = ({ kind }: Entry): number => (kind === 'embedding' ? 0 : 1);

const usedBy = (entry: Entry): Used => ({
  attempts: attemptsOf(entry),
  unpricedAttempts: entry.costMicros === null ? 1 : 0,
  inputTokens: entry.inputTokens,
  outputTokens: entry.outputTokens,
  costMicros: entry.costMicros ?? 0,
});

const later = (one: Date, other: Date): Date => (one > other ? one : other);
const together = (one: Used | undefined, other: Used): Used =>
  one ? (Object.fromEntries(usedFields.map((field) => [field, one[field] + other[field]])) as Used) : other;

function withDay(known: DayAddition | undefined, { entry, hour, at, orgId, day, pseudonym }: Placed): DayAddition {
  return {
    orgId,
    day,
    pseudonym,
    used: together(known?.used, usedBy(entry)),
    hours: { ...known?.hours, [hour]: (known?.hours[hour] ?? 0) + attemptsOf(entry) },
    currency: entry.currency ?? known?.currency ?? null,
    at: known ? later(known.at, at) : at,
  };
}

function withModel(known: ModelAddition | undefined, one: Placed, model: string): ModelAddition {
  const { entry, at, orgId, day, pseudonym } = one;
  const used = together(known?.used, usedBy(entry));
  return { orgId, day, pseudonym, model, used, at: known ? later(known.at, at) : at };
}
