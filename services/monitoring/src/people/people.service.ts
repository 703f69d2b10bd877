import { Injectable } from '@nestjs/common';
import type {
  getPersonUse,
  listPeople,
  listPseudonyms,
  PeopleSpan,
  PersonPrincipal,
  PersonUse,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Problem, type ResponseOf } from '@parley/protocol';
import { TimeZones } from '../all-organisations/index.ts';
import { lastSteps } from '../metrics/index.ts';
import { hours, type ActiveDayRow } from './active-day.collection.ts';
import { ActiveDaysRepository, mostDaysRead } from './active-days.repository.ts';
import { pageOfPeople, peopleOf, sumOfUse, type People, type Person } from './people-list.ts';
import { PseudonymKeys } from './pseudonym-keys.ts';
import { isSoughtBy, labelsOf, pseudonymOf } from './pseudonym.ts';
import { ShownNames } from './shown-names.ts';

const dayCounts: Record<PeopleSpan, number> = { week: 7, month: 30 };

type Days = { readonly all: readonly string[]; readonly from: string; readonly to: string; readonly timeZone: string };
type Found = People & { readonly currency: string | null; readonly isCut: boolean };
type Viewed = { readonly scope: OrganisationScope; readonly principal: PersonPrincipal };

/** What people used, under pseudonyms. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly days: ActiveDaysRepository,
    private readonly keys: PseudonymKeys,
    private readonly names: ShownNames,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
  ) {}

  async list({ scope, principal, query }: InputOf<typeof listPeople>): Promise<ResponseOf<typeof listPeople>> {
    const { span, text } = query;
    const days = await this.daysOf(scope, span);
    const { shown, months, total, currency, isCut } = await this.read(scope, days);
    const items = shown.filter(({ id }) => text === undefined || isSoughtBy(text, id));
    const page = pageOfPeople(items, query);
    const view = await this.viewOf({ scope, principal }, shown);
    return {
      ...page,
      items: page.items.map(view),
      total,
      months: [...months],
      currency,
      timeZone: days.timeZone,
      isCut,
    };
  }

  async readOne({
    scope,
    principal,
    params,
    query,
  }: InputOf<typeof getPersonUse>): Promise<ResponseOf<typeof getPersonUse>> {
    const days = await this.daysOf(scope, query.span);
    const { shown, currency } = await this.read(scope, days);
    const person = shown.find(({ id }) => id === params.personId);
    if (!person) throw new Problem('monitoring.person-not-found');
    const [own, models, view] = await Promise.all([
      this.days.readPerson(scope, person.id, days),
      this.days.readModels(scope, person.id, days),
      this.viewOf({ scope, principal }, shown),
    ]);
    return {
      person: view(person),
      hours: hoursOf(own),
      models: [...Map.groupBy(models, ({ model }) => model)]
        .map(([model, rows]) => ({ model, ...sumOfUse(rows) }))
        .toSorted((one, other) => other.costMicros - one.costMicros || other.attempts - one.attempts),
      currency,
    };
  }

  private async daysOf(scope: OrganisationScope, span: PeopleSpan): Promise<Days> {
    const timeZone = await this.zones.of(scope.orgId);
    const days = lastSteps('day', dayCounts[span], { at: this.clock.now(), timeZone });
    return { all: days, from: days[0] ?? '', to: days.at(-1) ?? '', timeZone };
  }

  private async read(scope: OrganisationScope, days: Pick<Days, 'all'>): Promise<Found> {
    const rows = await this.days.read(scope, days.all);
    const isCut = rows.length > mostDaysRead;
    const currency = rows.find((row) => row.currency)?.currency ?? null;
    return { ...peopleOf(rows.slice(0, mostDaysRead)), currency, isCut };
  }

  /** Of a month, in the order asked. */
  async pseudonyms({
    scope,
    params,
    body,
  }: InputOf<typeof listPseudonyms>): Promise<ResponseOf<typeof listPseudonyms>> {
    const { orgId } = params;
    const { month, userIds } = body;
    const key = await this.keys.of(scope.in(orgId));
    const ids = userIds.map((userId) => pseudonymOf(key, { orgId, userId, month }));
    const labels = labelsOf(ids);
    return { items: ids.map((id) => labels.get(id) ?? id) };
  }

  /** As the caller may see them: with the names that they asked for, while they last. */
  private async viewOf({ scope, principal }: Viewed, shown: readonly Person[]): Promise<(person: Person) => PersonUse> {
    const labels = labelsOf(shown.map(({ id }) => id));
    const names = await this.names.of(scope, principal);
    return (person) => ({
      ...person,
      pseudonym: labels.get(person.id) ?? person.id,
      name: names.get(person.id) ?? null,
    });
  }
}

/** By weekday, Monday first, and hour. */
function hoursOf(rows: readonly ActiveDayRow[]): number[][] {
  const grid = Array.from({ length: 7 }, () => hours.map(() => 0));
  for (const row of rows) {
    const weekday = grid[(new Date(row.day).getUTCDay() + 6) % 7]!;
    for (const [hour, name] of hours.entries()) weekday[hour]! += row[name] ?? 0;
  }
  return grid;
}
