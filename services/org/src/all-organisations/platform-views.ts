import { Injectable } from '@nestjs/common';
import type { PlatformOrganisation } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import { InvitationsRepository } from '../invitations/index.ts';
import { approvalOf, MembershipsRepository, membershipRows, statusOf, toSuspension } from '../rights/index.ts';

const mostOwners = 20;

/** An organisation as platform admins see it. */
@Injectable()
export class PlatformViews {
  private readonly members: Rows<typeof membershipRows>;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly clock: Clock,
  ) {
    this.members = mongo.rows(membershipRows);
  }

  /** 404 `org.organisation-not-found`. */
  async of(scope: OrganisationScope): Promise<PlatformOrganisation> {
    const row = await this.memberships.organisation(scope);
    const members = this.members.within(scope);
    const [suspended, owners, invitation] = await Promise.all([
      members.count({ status: 'suspended' }),
      members.find({ role: 'owner' }, { sort: { sortName: 1 }, limit: mostOwners }),
      this.invitations.findFirstOwner(scope, this.clock.now()),
    ]);
    const { _id: id, name, slug, memberCount, seatsHeld, seatLimit, createdAt, version } = row;
    return {
      id,
      name,
      slug,
      status: statusOf(row),
      suspension: toSuspension(row),
      members: { active: memberCount - suspended, suspended },
      seatsHeld,
      seatLimit,
      approval: approvalOf(row),
      owners: owners.map((owner) => ({ userId: owner.userId, name: owner.name, email: owner.email })),
      ownerInvitation: invitation && {
        id: invitation._id,
        email: invitation.email ?? '',
        endsAt: invitation.endsAt.toISOString(),
      },
      createdAt: createdAt.toISOString(),
      version,
    };
  }
}
