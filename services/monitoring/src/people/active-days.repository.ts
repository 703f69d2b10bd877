import { Injectable } from '@nestjs/common';
import { otherId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import {
  jobScope,
  Mongo,
  type OrganisationScope,
  type RowOf,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { SeenRows } from '../metrics/index.ts';
import {
  activeDayRows,
  activeModelRows,
  usedFields,
  type ActiveDayRow,
  type Hour,
  type Used,
} from './active-day.collection.ts';

const counting = jobScope('what people of all organisations used is counted together');
/** A thousand people on each of 30 days: more is cut, the earliest days first. */
export const mostDaysRead = 30_000;
const mostModelsRead = 31 * 25;

/** A person's day. */
export type PersonDay = { readonly orgId: OrgId; readonly day: string; readonly pseudonym: string };
export type DayAddition = PersonDay & {
  readonly used: Used;
  readonly hours: Partial<Record<Hour, number>>;
  readonly currency: string | null;
  readonly at: Date;
};
export type ModelAddition = PersonDay & { readonly model: string; readonly used: Used; readonly at: Date };
type Days = { readonly from: string; readonly to: string };

export const dayIdOf = ({ orgId, day, pseudonym }: PersonDay): string => `${orgId}/${day}/${pseudonym}`;
const modelIdOf = ({ model, ...of }: PersonDay & { readonly model: string }): string => `${dayIdOf(of)}/${model}`;

@Injectable()
export class ActiveDaysRepository {
  private readonly days: Rows<typeof activeDayRows>;
  private readonly models: Rows<typeof activeModelRows>;
  /** Caches ids of models' rows, which are kept for `keptDays`. */
  private readonly seen = new SeenRows();

  constructor(mongo: Mongo) {
    this.days = mongo.rows(activeDayRows);
    this.models = mongo.rows(activeModelRows);
  }

  /** Returns true if the cache shows that each of these models has a row of its own on this person's day. */
  areApart(of: PersonDay, models: ReadonlySet<string>): boolean {
    return [...models].every((model) => this.seen.has(modelIdOf({ ...of, model })));
  }

  /** The models that are counted apart on a person's day. */
  async modelsOf({ orgId, day, pseudonym }: PersonDay, tx: Transaction): Promise<Set<string>> {
    const rows = await this.models
      .within(counting.in(orgId), tx)
      .find({ pseudonym, day, model: { $ne: otherId } }, { fields: ['model'] });
    this.seen.note(
      rows.map(({ _id }) => _id),
      tx,
    );
    return new Set(rows.map(({ model }) => model));
  }

  async add(days: readonly DayAddition[], models: readonly ModelAddition[], tx: Transaction): Promise<void> {
    this.seen.writing(tx);
    await this.days
      .within(counting, tx)
      .later.upsertEach(
        days.map(({ orgId, day, pseudonym, used, hours: byHour, currency, at }) => ({
          filter: { _id: dayIdOf({ orgId, day, pseudonym }), orgId, day, pseudonym },
          change: { $inc: { ...used, ...byHour }, $max: { at }, ...(currency && { $set: { currency } }) },
        })),
      );
    await this.models
      .within(counting, tx)
      .later.upsertEach(
        models.map(({ orgId, day, pseudonym, model, used, at }) => ({
          filter: { _id: modelIdOf({ orgId, day, pseudonym, model }), orgId, day, pseudonym, model },
          change: { $inc: used, $max: { at } },
        })),
      );
  }

  /**
   * Of everybody on these days, the latest first, until there are too many. Day by day: nobody else waits at the store
   * for the whole month of a large organisation.
   */
  async read(scope: OrganisationScope, days: readonly string[]) {
    const fields = ['day', 'pseudonym', 'currency', ...usedFields] as const;
    const found: Pick<RowOf<typeof activeDayRows>, (typeof fields)[number]>[] = [];
    for (const day of days.toReversed()) {
      const limit = mostDaysRead + 1 - found.length;
      if (limit === 0) break;
      found.push(...(await this.days.within(scope).find({ day }, { limit, fields })));
    }
    return found;
  }

  /** One person's days with their hours. */
  async readPerson(scope: OrganisationScope, pseudonym: string, { from, to }: Days): Promise<ActiveDayRow[]> {
    return this.days.within(scope).find({ pseudonym, day: { $gte: from, $lte: to } }, { sort: { day: 1 } });
  }

  async readModels(scope: OrganisationScope, pseudonym: string, { from, to }: Days) {
    return this.models
      .within(scope)
      .find({ pseudonym, day: { $gte: from, $lte: to } }, { limit: mostModelsRead, fields: ['model', ...usedFields] });
  }

  /** Any day of this pseudonym: it tells the month. */
  async dayOf(scope: OrganisationScope, pseudonym: string): Promise<string | null> {
    const [row] = await this.days.within(scope).find({ pseudonym }, { sort: { day: 1 }, limit: 1, fields: ['day'] });
    return row?.day ?? null;
  }
}
