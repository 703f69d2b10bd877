import { Injectable } from '@nestjs/common';
import { Problem, type ProviderId, type UserId } from '@parley/contracts';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Transaction,
} from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { consentSchema, providerSchema, type ConsentRow, type ProviderRow } from './provider.schema.ts';

@Injectable()
export class ProvidersRepository {
  private readonly providers: Model<ProviderRow>;
  private readonly consents: Model<ConsentRow>;

  constructor(mongo: Mongo) {
    this.providers = mongo.model('Provider', providerSchema);
    this.consents = mongo.model('OutboundConsent', consentSchema);
  }

  async list(scope: OrganisationScope): Promise<ProviderRow[]> {
    return this.providers.find({ orgId: scope.orgId }).sort({ _id: 1 }).limit(100).lean();
  }

  async find(scope: OrganisationScope, id: ProviderId): Promise<ProviderRow | null> {
    return this.providers.findOne({ _id: id, orgId: scope.orgId }).lean();
  }

  /** An id that exists already is `platform.conflict`. */
  async create(_scope: OrganisationScope, row: ProviderRow, tx: Transaction): Promise<void> {
    try {
      await this.providers.create([row], { session: tx.session });
    } catch (error) {
      if (isDuplicateKey(error)) throw new Problem('platform.conflict', {}, { cause: error });
      throw error;
    }
  }

  /** Null when the version is not the current one any more. */
  async update(
    scope: OrganisationScope,
    change: { id: ProviderId; version: number; set: Partial<ProviderRow> },
    tx: Transaction,
  ): Promise<ProviderRow | null> {
    const filter = { _id: change.id, orgId: scope.orgId, version: change.version };
    return this.providers
      .findOneAndUpdate(
        filter,
        { $set: change.set, $inc: { version: 1 } },
        { returnDocument: 'after', session: tx.session },
      )
      .lean();
  }

  /** At most one provider of an organisation is the default. */
  async clearDefault(scope: OrganisationScope, except: ProviderId, tx: Transaction): Promise<void> {
    await this.providers.updateMany(
      { orgId: scope.orgId, isDefault: true, _id: { $ne: except } },
      { $set: { isDefault: false } },
      { session: tx.session },
    );
  }

  async delete(scope: OrganisationScope, id: ProviderId, tx: Transaction): Promise<boolean> {
    return (
      (await this.providers.deleteOne({ _id: id, orgId: scope.orgId }, { session: tx.session })).deletedCount === 1
    );
  }

  async listConsents(_scope: PlatformScope): Promise<string[]> {
    return (await this.consents.find({}).limit(1_000).lean()).map((row) => row._id);
  }

  async addConsent(_scope: PlatformScope, address: string, givenBy: UserId): Promise<void> {
    await this.consents.updateOne({ _id: address }, { $setOnInsert: { givenBy, at: new Date() } }, { upsert: true });
  }
}
