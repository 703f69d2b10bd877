import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { every } from '@parley/platform/every';
import { collection, jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { MembershipsRepository } from '../rights/index.ts';

/** Seats that an invite call of 0.4.0 reserves until its last transaction. */
export const earlierReservationRows = collection(
  'invitation_reservations',
  { _id: z.string(), orgId, left: z.number().int(), endsAt: z.date() },
  { tenant: { organisation: 'orgId' }, indexes: [{ endsAt: 1 }] },
);
const releasing = jobScope('what invite calls of 0.4.0 held');
const everyMs = 3_600_000;

/**
 * Releases the seats that invite calls reserved in processes of 0.4.0 that died. Delete this when no such process can be left.
 */
@Injectable()
export class EarlierReservations {
  readonly upkeep = every('gives back what invite calls of 0.4.0 held', everyMs, () => this.release());
  private readonly rows: Rows<typeof earlierReservationRows>;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.rows = mongo.rows(earlierReservationRows);
  }

  async release(): Promise<void> {
    const overdue = { endsAt: { $lte: this.clock.now() } };
    for (const { _id, orgId: whose } of await this.rows.within(releasing).find(overdue))
      await this.work.run(job('gives back what an invite call held'), async (tx) => {
        const scope = releasing.in(whose);
        const rows = this.rows.within(scope, tx);
        const held = await rows.findById(_id);
        if (!held) return;
        await rows.delete({ _id });
        await this.memberships.hold(scope, tx, -held.left);
      });
  }
}
