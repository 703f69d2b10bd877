import { Injectable } from '@nestjs/common';
import { allows, type NameRevealId, type PersonPrincipal, type PersonUse } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type RowOf, type Rows, type Transaction } from '@parley/platform/mongo';
import { shownNameRows } from './shown-name.collection.ts';

type ShownName = NonNullable<PersonUse['name']>;
type ShownNameRow = RowOf<typeof shownNameRows>;

/** The names that people asked for, each for the one who asked. */
@Injectable()
export class ShownNames {
  private readonly rows: Rows<typeof shownNameRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.rows = mongo.rows(shownNameRows);
  }

  /** By pseudonym; none once their time is over, or for whoever has lost the right. */
  async of(scope: OrganisationScope, { userId, organisation }: PersonPrincipal): Promise<Map<string, ShownName>> {
    if (!allows({ userId, permissions: organisation?.permissions ?? [] }, 'usage:read_person')) return new Map();
    const rows = await this.rows.within(scope).find({ by: userId });
    const now = this.clock.now();
    return new Map(rows.filter(({ until }) => until > now).map((row) => [row.pseudonym, toShownName(row)]));
  }

  async show(scope: OrganisationScope, tx: Transaction, row: ShownNameRow): Promise<void> {
    await this.rows.within(scope, tx).insertOnce(row);
  }

  async hide(scope: OrganisationScope, tx: Transaction, revealId: NameRevealId): Promise<void> {
    await this.rows.within(scope, tx).delete({ _id: revealId });
  }
}

export const toShownName = ({ _id, name, until }: Pick<ShownNameRow, '_id' | 'name' | 'until'>): ShownName => ({
  revealId: _id,
  name,
  until: until.toISOString(),
});
