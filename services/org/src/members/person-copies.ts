import { Injectable } from '@nestjs/common';
import { every } from '@parley/platform/every';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import type { UserId } from '@parley/protocol';
import { membershipRows, People, personFields } from '../rights/index.ts';

const job = jobScope('memberships keep a copy of what auth says of people');
const everyMs = 3_600_000;
const peopleAtOnce = 100;

/** Keeps name, picture and address in memberships as auth has them. */
@Injectable()
export class PersonCopies {
  /** Memberships of the first version know nobody's name. */
  readonly upkeep = every('asks for the names of members', everyMs, () => this.fillMissing());
  private readonly memberships: Rows<typeof membershipRows>;

  constructor(
    mongo: Mongo,
    private readonly people: People,
  ) {
    this.memberships = mongo.rows(membershipRows);
  }

  /** An older copy never replaces a newer one. */
  async renew(userId: UserId, tx?: Transaction): Promise<void> {
    const person = await this.people.find(userId);
    await this.memberships
      .within(job.of(userId), tx)
      .updateMany({ personVersion: { $lt: person.version } }, { $set: personFields(person) });
  }

  private async fillMissing(): Promise<void> {
    const missing = await this.memberships.within(job).find({ personVersion: 0 }, { limit: peopleAtOnce });
    for (const { userId } of missing) await this.renew(userId);
    if (missing.length > 0) this.upkeep.wake();
  }
}
