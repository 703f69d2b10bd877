import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { randomUUID } from 'node:crypto';
import { MembershipsRepository } from '../rights/index.ts';
import { invitationReservationRows, type InvitationReservationRow } from './invitation-reservation.collection.ts';

/** Longer than any invite call takes: after it, its process has died. */
const longestCallMs = 10 * 60_000;
const releasing = jobScope('invite calls that did not end');

/**
 * Room for all invitations of one call, held before the first one is made: a call that takes several transactions is
 * refused in the first one or not at all.
 */
@Injectable()
export class InvitationReservations {
  private readonly rows: Rows<typeof invitationReservationRows>;
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.rows = mongo.rows(invitationReservationRows);
    this.quotas = new Quotas(mongo);
  }

  /** Holds seats and invitations for `count` people and returns the reservation's id; throws the problem of a full quota. */
  async hold(scope: OrganisationScope, tx: Transaction, count: number): Promise<string> {
    await this.memberships.hold(scope, tx, count);
    await this.quotas.add(scope, tx, { quota: 'invitations', by: count });
    const _id = randomUUID();
    const endsAt = new Date(this.clock.now().getTime() + longestCallMs);
    await this.rows.within(scope, tx).insert({ _id, orgId: scope.orgId, left: count, endsAt });
    return _id;
  }

  /** Turns some of what is held into invitations, which the same transaction inserts. */
  async use(scope: OrganisationScope, tx: Transaction, { id, count }: { id: string; count: number }): Promise<void> {
    const changed = await this.rows
      .within(scope, tx)
      .change({ _id: id, left: { $gte: count } }, { $inc: { left: -count } });
    if (!changed) throw new Problem('platform.unavailable', { detail: 'This took too long. Send it again.' });
  }

  /** Gives back what was not used. Idempotent. */
  async release(scope: OrganisationScope, id: string): Promise<void> {
    await this.work.run(job('gives back what an invite call held'), async (tx) => {
      const rows = this.rows.within(scope, tx);
      const row = await rows.findById(id);
      if (!row || !(await rows.delete({ _id: id, left: row.left }))) return;
      if (row.left === 0) return;
      await this.memberships.hold(scope, tx, -row.left);
      await this.quotas.add(scope, tx, { quota: 'invitations', by: -row.left });
    });
  }

  /** Gives back what processes that died have held. */
  async releaseOverdue(): Promise<void> {
    const overdue = { endsAt: { $lte: this.clock.now() } };
    const list = (): Promise<InvitationReservationRow[]> => this.rows.within(releasing).find(overdue, { limit: 100 });
    for (let rows = await list(); rows.length > 0; rows = await list())
      for (const { _id, orgId } of rows) await this.release(releasing.in(orgId), _id);
  }
}
