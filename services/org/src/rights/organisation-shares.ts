import { Injectable } from '@nestjs/common';
import { shareChanged } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import { Problem, type DataOf, type UserId } from '@parley/protocol';
import { organisationRows, type OrganisationRow } from './organisation.collection.ts';
import { People, type Origin } from './people.ts';
import { forGood, shareOf, type ShareFields, type ShareId } from './share.ts';

const inviting = jobScope('whose share the organisation uses that invited a creator');

/** Decides whose turns and limits organisations share (ADR 0031), and publishes it. */
@Injectable()
export class OrganisationShares {
  private readonly organisations: Rows<typeof organisationRows>;

  constructor(
    mongo: Mongo,
    private readonly people: People,
    private readonly clock: Clock,
  ) {
    this.organisations = mongo.rows(organisationRows);
  }

  /** Returns the share of what this person creates; null where auth is of an earlier version and doesn't say. */
  async ofCreator(userId: UserId): Promise<ShareFields | null> {
    const origin = await this.people.find(userId).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'platform.not-found') return nobody;
      throw error;
    });
    return this.ofOrigin(userId, origin);
  }

  /** The same of a person whom auth was asked for. */
  async ofOrigin(userId: UserId, { invitedBy, sameNetworkAs }: Origin): Promise<ShareFields | null> {
    if (sameNetworkAs === undefined) return null;
    const invited = invitedBy && (await this.organisations.within(inviting.in(invitedBy)).findById(invitedBy));
    if (invited) return this.inherited(invited);
    if (sameNetworkAs === null) return forGood(userId);
    return { share: sameNetworkAs.userId, shareUntil: new Date(sameNetworkAs.until), shareAfter: userId };
  }

  /** Publishes the share of an organisation, unless it is what was published before; of a new one that is its own id. */
  publish(tx: Transaction, row: OrganisationRow, before: ShareId, act?: DataOf<typeof shareChanged>['act']): void {
    const { _id: orgId, rightsVersion } = row;
    const share = shareOf(row);
    if (share !== before) tx.record(shareChanged, { orgId, share, rightsVersion, ...(act && { act }) });
  }

  /** An invited person uses the share of the organisation that invited them, for as long as that one has it. */
  private inherited(row: OrganisationRow): ShareFields {
    const { shareUntil = null, shareAfter = null } = row;
    if (shareUntil === null || shareAfter === null) return forGood(shareOf(row));
    if (shareUntil <= this.clock.now()) return forGood(shareAfter);
    return { share: shareOf(row), shareUntil, shareAfter };
  }
}

/** The account was deleted. */
const nobody: Origin = { invitedBy: null, sameNetworkAs: null };
