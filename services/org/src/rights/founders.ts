import { Injectable } from '@nestjs/common';
import type { UserId } from '@parley/protocol';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import { quotaFull } from '@parley/platform/quotas';
import { OrgSettings } from '../org.config.ts';
import { founderRows } from './founder.collection.ts';
import { organisationRows, type OrganisationRow } from './organisation.collection.ts';

const counting = jobScope('how many organisations a person has created and owns');

/** Bounds how many organisations one person creates and owns. */
@Injectable()
export class Founders {
  private readonly organisations: Rows<typeof organisationRows>;
  private readonly guards: Rows<typeof founderRows>;

  constructor(
    mongo: Mongo,
    private readonly settings: OrgSettings,
  ) {
    this.organisations = mongo.rows(organisationRows);
    this.guards = mongo.rows(founderRows);
  }

  /**
   * Makes room for one more in this transaction, which then has to write it; `org.too-many-organisations`. Two at once
   * meet at the guard: the second one is run again and counts the first.
   */
  async admit(tx: Transaction, userId: UserId): Promise<void> {
    const guards = this.guards.within(counting.of(userId), tx);
    await guards.insertOnce({ _id: userId, changes: 0 });
    await guards.update({ _id: userId }, { $inc: { changes: 1 } });
    const most = this.settings.organisationsPerPerson;
    const owned = await this.organisations.within(counting, tx).count({ founder: userId }, { limit: most });
    if (owned >= most) throw quotaFull('organisations', most);
  }

  /** After ownership changed: a person who owns it again needs room for it. */
  async move(tx: Transaction, before: Pick<OrganisationRow, 'founder'>, founder: UserId | null): Promise<void> {
    if (founder !== null && founder !== (before.founder ?? null)) await this.admit(tx, founder);
  }
}
