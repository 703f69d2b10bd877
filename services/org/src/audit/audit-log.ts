import { Injectable } from '@nestjs/common';
import type { AuditAct, AuditEntry, listAudit, PersonPrincipal, ResponseOf } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { auditRows, type AuditRow } from './audit.collection.ts';

export type Audited = {
  readonly principal: PersonPrincipal;
  readonly act: AuditAct;
  readonly target: { readonly id: string; readonly name: string };
  readonly before?: AuditRow['before'];
  readonly after?: AuditRow['after'];
  readonly reason?: string | null;
};

/** What was done in an organisation. An entry is written in the transaction of the act: there is no act without one. */
@Injectable()
export class AuditLog {
  private readonly entries: Rows<typeof auditRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.entries = mongo.rows(auditRows);
  }

  async write(scope: OrganisationScope, tx: Transaction, audited: Audited): Promise<void> {
    const { principal, act, target, before = null, after = null, reason = null } = audited;
    await this.entries
      .within(scope, tx)
      .insert({
        _id: newId('auditEntry'),
        orgId: scope.orgId,
        at: this.clock.now(),
        actorId: principal.userId,
        actorName: principal.name,
        act,
        target: target.id,
        targetName: target.name,
        before,
        after,
        reason,
      });
  }

  list({ scope, query }: InputOf<typeof listAudit>): Promise<ResponseOf<typeof listAudit>> {
    const { actor, act, target, ...page } = query;
    const where = { ...(actor && { actorId: actor }), ...(act && { act }), ...(target && { target }) };
    return this.entries.within(scope).page(page, { by: { _id: -1 }, where, to: toEntry });
  }
}

const toEntry = ({
  _id: id,
  at,
  actorId,
  actorName,
  act,
  target,
  targetName,
  before,
  after,
  reason,
}: AuditRow): AuditEntry => ({
  id,
  at: at.toISOString(),
  actor: { userId: actorId, name: actorName },
  act,
  target: { id: target, name: targetName },
  before,
  after,
  reason,
});
