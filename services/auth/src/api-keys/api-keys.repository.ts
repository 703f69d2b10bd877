import { Injectable } from '@nestjs/common';
import { apiKeyRevoked, type ApiKeyId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret } from '@parley/platform/crypto';
import {
  Mongo,
  type OrganisationScope,
  type PersonScope,
  type PlatformScope,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { RevocationLog } from '@parley/platform/revocations';
import { searchKeys, wordFilter } from '@parley/platform/text';
import type { UserId } from '@parley/protocol';
import { apiKeyRows, type ApiKeyRow, type NewApiKeyRow } from './api-key.collection.ts';
import { toApiKey } from './api-key.ts';
import { apiKeyQuota } from './api-key-quota.ts';

export type NewApiKey = Omit<NewApiKeyRow, 'ownerWords' | 'secretHash' | 'lastUsedAt' | 'lastUsedFrom' | 'revoked'> & {
  readonly secret: string;
};
export type KeyFilter = {
  readonly userId?: UserId;
  readonly text?: string | undefined;
  readonly state?: 'working' | 'ended' | undefined;
};
/** Who ends a key, and why; null where its owner has left. */
type Revoker = {
  readonly by: { readonly userId: UserId; readonly name: string } | null;
  readonly reason: string | null;
};
type Page = { readonly limit: number; readonly cursor?: string | undefined };

/** API keys by organisation, by owner and by secret. What ends one voids, within a second, whatever was let in by it. */
@Injectable()
export class ApiKeysRepository {
  private readonly keys: Rows<typeof apiKeyRows>;
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly revocations: RevocationLog,
    private readonly clock: Clock,
  ) {
    this.keys = mongo.rows(apiKeyRows);
    this.quotas = new Quotas(mongo);
  }

  /** The latest end first: those that work, then those that do not. */
  async page(scope: OrganisationScope, page: Page, { userId, text, state }: KeyFilter) {
    const now = this.clock.now();
    const words = text === undefined ? {} : wordFilter('ownerWords', text);
    if (!words) return { items: [], nextCursor: null };
    const range = { working: { $gt: now }, ended: { $lte: now } };
    // Apart from the order's own range of the same field, which follows from the cursor.
    const where = { ...words, ...(userId && { userId }), ...(state && { $or: [{ endsAt: range[state] }] }) };
    return this.keys
      .within(scope)
      .page(page, { by: { endsAt: -1, _id: -1 }, where, to: (row: ApiKeyRow) => toApiKey(row, now) });
  }

  find(scope: OrganisationScope, _id: ApiKeyId, tx?: Transaction): Promise<ApiKeyRow | null> {
    return this.keys.within(scope, tx).findById(_id);
  }

  findBySecret(scope: PlatformScope, secret: string): Promise<ApiKeyRow | null> {
    return this.keys.within(scope).findOne({ secretHash: hashSecret(secret) });
  }

  /** Which of these are hashes of keys. */
  async findHashes(scope: PlatformScope, hashes: readonly string[]): Promise<string[]> {
    const rows = await this.keys.within(scope).find({ secretHash: { $in: hashes } }, { fields: ['secretHash'] });
    return rows.map(({ secretHash }) => secretHash);
  }

  /** Once, however often it is repeated. */
  async insert(scope: OrganisationScope, tx: Transaction, { secret, ...row }: NewApiKey) {
    const kept = { secretHash: hashSecret(secret), ownerWords: searchKeys(row.ownerName) };
    const stored = await this.keys
      .within(scope, tx)
      .insertOnce({ ...row, ...kept, lastUsedAt: null, lastUsedFrom: null, revoked: null });
    if (stored.isNew) await this.quotas.admit(scope, tx, apiKeyQuota(row.userId, this.clock.now()));
    return stored;
  }

  async noteUse(scope: OrganisationScope, _id: ApiKeyId, lastUsedFrom: string): Promise<void> {
    await this.keys.within(scope).update({ _id }, { $set: { lastUsedAt: this.clock.now(), lastUsedFrom } });
  }

  async renameOwner(scope: PersonScope, tx: Transaction, ownerName: string): Promise<void> {
    await this.keys.within(scope, tx).updateMany({}, { $set: { ownerName, ownerWords: searchKeys(ownerName) } });
  }

  /** Ends a key that works; one that has ended stays as it is. */
  async end(
    scope: OrganisationScope,
    tx: Transaction,
    { key: { _id, userId, name }, by, reason }: Revoker & { readonly key: ApiKeyRow },
  ): Promise<void> {
    const now = this.clock.now();
    const revoked = { by: by?.userId ?? null, byName: by?.name ?? null, reason };
    const isEnded = await this.keys
      .within(scope, tx)
      .update({ _id, endsAt: { $gt: now } }, { $set: { endsAt: now, revoked } });
    if (!isEnded) return;
    await this.revocations.record(tx, { kind: 'session', subject: _id, rightsVersion: null });
    tx.record(apiKeyRevoked, { orgId: scope.orgId, userId, apiKeyId: _id, name, by: revoked.by, reason });
  }

  /** Those of a person that work and were made until then. */
  workingOf(
    scope: OrganisationScope,
    tx: Transaction,
    { userId, until }: { readonly userId: UserId; readonly until: Date },
  ): Promise<ApiKeyRow[]> {
    return this.keys.within(scope, tx).find({ userId, endsAt: { $gt: this.clock.now() }, createdAt: { $lte: until } });
  }
}
