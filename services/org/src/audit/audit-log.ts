import { Injectable } from '@nestjs/common';
import {
  personalActs,
  platformActs,
  type AuditAct,
  type AuditEntry,
  type listAudit,
  type noteDenials,
  type PersonPrincipal,
  type ResponseOf,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { auditRows, type AuditRow } from './audit.collection.ts';

/** As a filter takes it. */
const longestTarget = 100;

export type Audited = {
  readonly principal: Pick<PersonPrincipal, 'userId' | 'name'>;
  readonly act: AuditAct;
  readonly target: { readonly id: string; readonly name: string };
  readonly before?: AuditRow['before'];
  readonly after?: AuditRow['after'];
  readonly reason?: string | null;
  /** When it was done, where that was told later. */
  readonly at?: Date;
};

/**
 * What was done in an organisation. An entry is written in the transaction of the act, or of the event that tells of
 * another service's act: there is no act without one.
 */
@Injectable()
export class AuditLog {
  private readonly entries: Rows<typeof auditRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.entries = mongo.rows(auditRows);
  }

  write(scope: OrganisationScope, tx: Transaction, audited: Audited): Promise<void> {
    return this.writeAll(scope, tx, [audited]);
  }

  /** In one command. */
  async writeAll(scope: OrganisationScope, tx: Transaction, audited: readonly Audited[]): Promise<void> {
    await this.entries.within(scope, tx).insertMany(audited.map((each) => this.toRow(scope, each)));
  }

  private toRow({ orgId }: OrganisationScope, audited: Audited): AuditRow {
    const { principal, act, target, before = null, after = null, reason = null, at = this.clock.now() } = audited;
    return {
      _id: newId('auditEntry'),
      orgId,
      at,
      actorId: principal.userId,
      actorName: principal.name,
      act,
      target: target.id,
      targetName: target.name,
      before,
      after,
      reason,
      ...(personalActs.has(act) && { isPersonal: true as const }),
    };
  }

  /** What was refused; known entries stay as they are. */
  async noteDenials({ scope, body }: InputOf<typeof noteDenials>): Promise<void> {
    for (const { id, orgId, userId, name, route, at, count } of body.items)
      await this.entries
        .within(scope.in(orgId))
        .insertOnce({
          _id: id,
          orgId,
          at: new Date(at),
          actorId: userId,
          actorName: name,
          act: 'access.denied',
          target: route.slice(0, longestTarget),
          targetName: route,
          before: null,
          after: null,
          reason: null,
          count,
        });
  }

  /** Lists entries; those of `personalActs` exist only for readers with `member:read_pii`. */
  async list({ scope, principal, query }: InputOf<typeof listAudit>): Promise<ResponseOf<typeof listAudit>> {
    const { actor, act, target, ...page } = query;
    const seesPersonal = principal.organisation?.permissions.includes('member:read_pii') ?? false;
    if (act && personalActs.has(act) && !seesPersonal) return { items: [], nextCursor: null };
    const where = {
      ...(actor && { actorId: actor }),
      ...(act && { act }),
      ...(target && { target }),
      ...(!act && !seesPersonal && { isPersonal: null }),
    };
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
  count = 1,
}: AuditRow): AuditEntry => ({
  id,
  at: at.toISOString(),
  actor: { userId: actorId, name: actorName, isPlatformAdmin: platformActs.has(act) },
  act,
  target: { id: target, name: targetName },
  before,
  after,
  reason,
  count,
});
