import { Injectable } from '@nestjs/common';
import { invitationChanged } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { every } from '@parley/platform/every';
import { jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { MembershipsRepository } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import { InvitationsRepository } from './invitations.repository.ts';

const everyMs = 30_000;
const ending = jobScope('invitations that are over give their seats back');

/** Ends what nobody has accepted in time: its seat is free again. */
@Injectable()
export class InvitationUpkeep {
  readonly upkeep = every('ends invitations that are over', everyMs, (signal) => this.endOverdue(signal));

  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async endOverdue(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    for (let rows = await this.invitations.listEnded(ending, now); rows.length > 0 && !signal?.aborted;) {
      for (const row of rows) await this.end(row, now);
      rows = await this.invitations.listEnded(ending, now);
    }
  }

  /** By compare-and-set: of two processes one gives the seat back. */
  private async end(row: InvitationRow, now: Date): Promise<void> {
    const scope = ending.in(row.orgId);
    await this.work.run(job('ends invitations'), async (tx) => {
      const changes = { status: 'expired', endedAt: now } as const;
      if (!(await this.invitations.change(scope, tx, { row, changes }))) return;
      if (row.kind === 'mail') await this.memberships.hold(scope, tx, -1);
      const { orgId, _id: invitationId, kind } = row;
      tx.record(invitationChanged, { orgId, invitationId, kind, change: 'expired', userId: null });
    });
  }
}
