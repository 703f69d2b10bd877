import { Injectable } from '@nestjs/common';
import { Problem, type OrgId, type UserId } from '@parley/contracts';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type PersonScope,
  type PlatformScope,
  type Transaction,
} from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import {
  membershipSchema,
  organisationSchema,
  type MembershipRow,
  type OrganisationRow,
} from './organisation.schema.ts';
import type { Membership } from './organisation.ts';

@Injectable()
export class OrganisationsRepository {
  private readonly organisations: Model<OrganisationRow>;
  private readonly memberships: Model<MembershipRow>;

  constructor(mongo: Mongo) {
    this.organisations = mongo.model('Organisation', organisationSchema);
    this.memberships = mongo.model('Membership', membershipSchema);
  }

  /** A taken slug is `org.slug-taken`. */
  async create(
    scope: PersonScope,
    { id, name, slug }: { id: OrgId; name: string; slug: string },
    tx: Transaction,
  ): Promise<void> {
    const now = new Date();
    try {
      await this.organisations.create(
        [{ _id: id, name, slug, createdBy: scope.userId, createdAt: now, memberCount: 1, ownerCount: 1, version: 1 }],
        { session: tx.session },
      );
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new Problem(isDuplicateKey(error, 'slug') ? 'org.slug-taken' : 'platform.conflict', {}, { cause: error });
    }
    const membership = {
      _id: `${id}/${scope.userId}`,
      orgId: id,
      userId: scope.userId,
      role: 'owner' as const,
      rightsVersion: 1,
      joinedAt: now,
    };
    await this.memberships.create([membership], { session: tx.session });
  }

  /** The person's memberships in the order of the organisations' ids, after the given one. */
  async listMemberships(
    scope: PersonScope,
    { after, limit }: { after: OrgId | null; limit: number },
  ): Promise<Membership[]> {
    const filter = after === null ? { userId: scope.userId } : { userId: scope.userId, orgId: { $gt: after } };
    return this.memberships.find(filter).sort({ userId: 1, orgId: 1 }).limit(limit).lean();
  }

  async findMembership(scope: OrganisationScope, userId: UserId): Promise<Membership | null> {
    return this.memberships.findById(`${scope.orgId}/${userId}`).lean();
  }

  async findMany(_scope: PersonScope | PlatformScope, ids: readonly OrgId[]): Promise<OrganisationRow[]> {
    return this.organisations.find({ _id: { $in: [...ids] } }).lean();
  }

  async find(scope: OrganisationScope): Promise<OrganisationRow | null> {
    return this.organisations.findById(scope.orgId).lean();
  }

  /** Null when the version is not the current one any more. */
  async rename(
    scope: OrganisationScope,
    { version, name }: { version: number; name: string },
    tx: Transaction,
  ): Promise<OrganisationRow | null> {
    const change = { $set: { name }, $inc: { version: 1 } };
    return this.organisations
      .findOneAndUpdate({ _id: scope.orgId, version }, change, { returnDocument: 'after', session: tx.session })
      .lean();
  }
}
