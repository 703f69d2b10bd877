import { Injectable } from '@nestjs/common';
import type { ProviderId } from '@parley/contracts';
import {
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Rows,
  type ScopedRows,
  type Transaction,
} from '@parley/platform/mongo';
import { consentRows, providerRows, type ConsentRow, type ProviderRow } from './provider.collection.ts';

@Injectable()
export class ProvidersRepository {
  private readonly providers: Rows<typeof providerRows>;
  private readonly consents: Rows<typeof consentRows>;

  constructor(mongo: Mongo) {
    this.providers = mongo.rows(providerRows);
    this.consents = mongo.rows(consentRows);
  }

  list(scope: OrganisationScope): Promise<ProviderRow[]> {
    return this.providers.recall(scope, 'all', (rows) => rows.find({}, { sort: { _id: 1 }, limit: 100 }));
  }

  find(scope: OrganisationScope, id: ProviderId): Promise<ProviderRow | null> {
    return this.providers.within(scope).findById(id);
  }

  /** What is there where it was made before; somebody else's id is `platform.conflict`. */
  create(
    scope: OrganisationScope,
    row: ProviderRow,
    tx: Transaction,
  ): Promise<{ readonly row: ProviderRow; readonly isNew: boolean }> {
    return this.providers.within(scope, tx).insertOnce(row);
  }

  /** Null when the version is not the current one any more. */
  update(
    scope: OrganisationScope,
    { id, version, set }: { id: ProviderId; version: number; set: Partial<Omit<ProviderRow, '_id'>> },
    tx: Transaction,
  ): Promise<ProviderRow | null> {
    return this.providers.within(scope, tx).change({ _id: id, version }, { $set: set, $inc: { version: 1 } });
  }

  /** At most one provider of an organisation is the default. */
  async clearDefault(scope: OrganisationScope, except: ProviderId, tx: Transaction): Promise<void> {
    const others = { isDefault: true, _id: { $ne: except } };
    await this.providers.within(scope, tx).updateMany(others, { $set: { isDefault: false } });
  }

  /** At most one provider of an organisation embeds. */
  async clearEmbedding(scope: OrganisationScope, except: ProviderId, tx: Transaction): Promise<void> {
    const others = { orgId: scope.orgId, embeddingModel: { $gt: '' }, _id: { $ne: except } };
    await this.providers.within(scope, tx).updateMany(others, { $set: { embeddingModel: null } });
  }

  delete(scope: OrganisationScope, id: ProviderId, tx: Transaction): Promise<boolean> {
    return this.providers.within(scope, tx).delete({ _id: id });
  }

  /** What platform admins have allowed, for the whole installation. */
  consentsOf(scope: PlatformScope, tx?: Transaction): ScopedRows<ConsentRow> {
    return this.consents.within(scope, tx);
  }
}
