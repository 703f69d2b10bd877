import { Injectable } from '@nestjs/common';
import { flowChanged, organisationUpdated, unapprovedFlow, type Approval } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Problem, type DataOf, type UserId } from '@parley/protocol';
import { MembershipsRepository } from './memberships.repository.ts';
import { organisationRows, type OrganisationRow } from './organisation.collection.ts';

type Act = NonNullable<DataOf<typeof flowChanged>['act']>;

/** Returns which flow the organisation uses: its own if it is approved, else the one that all others share (ADR 0053). */
export const flowOf = ({ _id, isApproved }: Pick<OrganisationRow, '_id' | 'isApproved'>): string =>
  isApproved ? _id : unapprovedFlow;

export const approvalOf = ({ isApproved, approvalRequestedAt }: OrganisationRow): Approval =>
  isApproved ? 'approved' : approvalRequestedAt ? 'requested' : 'none';

/** Publishes the flow of an organisation. */
export function publishFlow(tx: Transaction, row: OrganisationRow, act?: Act): void {
  const { _id: orgId, rightsVersion } = row;
  tx.record(flowChanged, { orgId, flow: flowOf(row), rightsVersion, ...(act && { act }) });
}

/** Approves organisations, and withdraws that. An approval stays with the organisation when its owner changes. */
@Injectable()
export class Approvals {
  private readonly organisations: Rows<typeof organisationRows>;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
  ) {
    this.organisations = mongo.rows(organisationRows);
  }

  /** Returns whether it changed something. `by`: who did it, unless that is who acts in the transaction. */
  async set(
    scope: OrganisationScope,
    tx: Transaction,
    { isApproved, by }: { readonly isApproved: boolean; readonly by?: UserId },
  ): Promise<boolean> {
    const { orgId } = scope;
    const before = await this.memberships.organisation(scope, tx);
    if (Boolean(before.isApproved) === isApproved) return false;
    const row = await this.organisations
      .within(scope, tx)
      .change(
        { _id: orgId, rightsVersion: before.rightsVersion },
        { $set: { isApproved, approvalRequestedAt: null }, $inc: { version: 1, rightsVersion: 1 } },
      );
    if (!row) throw new Problem('platform.conflict');
    tx.record(organisationUpdated, { orgId, version: row.version });
    publishFlow(tx, row, { isOwn: isApproved, ...(by && { by }) });
    return true;
  }
}
