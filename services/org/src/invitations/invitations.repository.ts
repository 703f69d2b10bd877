import { Injectable } from '@nestjs/common';
import { invitationChanged, type InvitationId, type RoleKey } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import {
  jobScope,
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Rows,
  type ScopedRows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { membershipRows, membersPerTurn } from '../rights/index.ts';
import { invitationRows, type InvitationRow } from './invitation.collection.ts';
import { invitationQuota } from './invitation-quota.ts';

const comparing = jobScope('ids of invitations that are taken');
type Changes = Partial<Omit<InvitationRow, '_id' | 'orgId'>>;

@Injectable()
export class InvitationsRepository {
  private readonly invitations: Rows<typeof invitationRows>;
  private readonly memberships: Rows<typeof membershipRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.invitations = mongo.rows(invitationRows);
    this.memberships = mongo.rows(membershipRows);
    this.quotas = new Quotas(mongo);
  }

  within(scope: OrganisationScope, tx?: Transaction): ScopedRows<InvitationRow> {
    return this.invitations.within(scope, tx);
  }

  /** Adds new ones; all or none. */
  async insert(scope: OrganisationScope, tx: Transaction, rows: readonly InvitationRow[]): Promise<void> {
    await this.within(scope, tx).insertMany(rows);
    await this.quotas.admit(scope, tx, { ...invitationQuota, unseen: rows.length });
  }

  /** False where it is there already. */
  async insertOnce(scope: OrganisationScope, tx: Transaction, row: InvitationRow): Promise<boolean> {
    const { isNew } = await this.within(scope, tx).insertOnce(row);
    if (isNew) await this.quotas.admit(scope, tx, { ...invitationQuota, unseen: 1 });
    return isNew;
  }

  /** Returns those of these ids that are invitations of other organisations. */
  async taken({ orgId }: OrganisationScope, ids: readonly InvitationId[]): Promise<Set<InvitationId>> {
    const rows = await this.invitations.within(comparing).find({ _id: { $in: ids } }, { fields: ['orgId'] });
    return new Set(rows.filter((row) => row.orgId !== orgId).map(({ _id }) => _id));
  }

  find(scope: OrganisationScope, id: InvitationId, tx?: Transaction): Promise<InvitationRow | null> {
    return this.within(scope, tx).findById(id);
  }

  /** Whoever has the secret: whose organisation it is stands in the row. */
  findByToken(scope: PlatformScope, token: string): Promise<InvitationRow | null> {
    return this.invitations.within(scope).findOne({ tokenHash: hashSecret(token) });
  }

  findById(scope: PlatformScope, id: InvitationId): Promise<InvitationRow | null> {
    return this.invitations.within(scope).findById(id);
  }

  /** The one that is open for an address in this organisation. */
  findMailed(scope: OrganisationScope, tx: Transaction, email: string): Promise<InvitationRow | null> {
    return this.within(scope, tx).findOne({ email, status: 'pending', kind: 'mail' });
  }

  /** Open ones for an address, in all organisations. */
  async listOpenFor(scope: PlatformScope, email: string, now: Date): Promise<InvitationRow[]> {
    const rows = await this.invitations.within(scope).find({ email, status: 'pending' }, { limit: 100 });
    return rows.filter(({ endsAt }) => endsAt > now);
  }

  listEnded(scope: PlatformScope, now: Date): Promise<InvitationRow[]> {
    return this.invitations
      .within(scope)
      .find({ status: 'pending', endsAt: { $lte: now } }, { sort: { endsAt: 1 }, limit: 100 });
  }

  /** Which of these addresses are members, and which have an open invitation. */
  async known(
    scope: OrganisationScope,
    emails: readonly string[],
    tx?: Transaction,
  ): Promise<{ members: Set<string>; invited: Set<string> }> {
    const members = await this.memberships.within(scope, tx).find({ email: { $in: emails } }, { fields: ['email'] });
    const invited = await this.within(scope, tx).find(
      { email: { $in: emails }, status: 'pending', kind: 'mail' },
      { fields: ['email'] },
    );
    return {
      members: new Set(members.flatMap(({ email }) => email ?? [])),
      invited: new Set(invited.flatMap(({ email }) => email ?? [])),
    };
  }

  /** The open one by a platform admin; with a time only one that is still good then. */
  async findFirstOwner(scope: OrganisationScope, now: Date | null, tx?: Transaction): Promise<InvitationRow | null> {
    const row = await this.within(scope, tx).findOne({ status: 'pending', isByPlatform: true });
    return row && (now === null || row.endsAt > now) ? row : null;
  }

  /**
   * Gives some who are invited to a role another one, and returns how many: where they are as many as `membersPerTurn`,
   * there may be more. What was read before is old.
   */
  async replaceRole(
    scope: OrganisationScope,
    tx: Transaction,
    { from, to }: { readonly from: RoleKey; readonly to: RoleKey },
  ): Promise<number> {
    const invitations = this.within(scope, tx);
    const some = await invitations.find({ role: from, status: 'pending' }, { limit: membersPerTurn, fields: ['_id'] });
    const _id = { $in: some.map((row) => row._id) };
    await invitations.updateMany({ _id }, { $set: { role: to }, $inc: { version: 1 } });
    return some.length;
  }

  /** Null when it has changed since it was read, or is not open any more. */
  change(
    scope: OrganisationScope,
    tx: Transaction,
    { row, changes }: { readonly row: InvitationRow; readonly changes: Changes },
  ): Promise<InvitationRow | null> {
    return this.within(scope, tx).change(
      { _id: row._id, version: row.version, status: 'pending' },
      { $set: changes, $inc: { version: 1 } },
    );
  }

  /** Notes how the mail of this round has ended; an earlier mail of the same invitation says nothing any more. */
  async noteMail(
    scope: OrganisationScope,
    tx: Transaction,
    {
      invitationId,
      round,
      state,
    }: { invitationId: InvitationId; round: number; state: NonNullable<InvitationRow['mail']> },
  ): Promise<void> {
    const row = await this.find(scope, invitationId, tx);
    if (!row || row.status !== 'pending' || row.round !== round) return;
    if (!(await this.change(scope, tx, { row, changes: { mail: state } })))
      throw new Error('The invitation has changed meanwhile: this is tried again.');
    tx.record(invitationChanged, { orgId: row.orgId, invitationId, kind: row.kind, change: 'mailed', userId: null });
  }
}
