import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import type { UserId } from '@parley/protocol';
import { setTimeout as wait } from 'node:timers/promises';
import { membershipRows, People, personFields } from '../rights/index.ts';

const job = jobScope('memberships keep a copy of what auth says of people');
const againMs = 5_000;
const peopleAtOnce = 100;

/** Keeps name, picture and address in memberships as auth has them. */
@Injectable()
export class PersonCopies implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly memberships: Rows<typeof membershipRows>;
  private readonly ending = new AbortController();

  constructor(
    mongo: Mongo,
    private readonly people: People,
    private readonly platform: Platform,
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

  onApplicationBootstrap(): void {
    void this.fillMissing();
  }

  onApplicationShutdown(): void {
    this.ending.abort();
  }

  /** Memberships of the first version know nobody's name; auth may come up later than this service. */
  private async fillMissing(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      try {
        const missing = await this.memberships.within(job).find({ personVersion: 0 }, { limit: peopleAtOnce });
        if (missing.length === 0) return;
        for (const { userId } of missing) await this.renew(userId);
      } catch (error) {
        if (signal.aborted) return;
        this.platform.logger.warn({ err: error }, 'the names of members are asked for again');
        await wait(againMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }
}
