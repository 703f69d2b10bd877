import { Injectable } from '@nestjs/common';
import {
  apiKeyCreated,
  isWithin,
  keyStart,
  permissions,
  type createApiKey,
  type listMyApiKeys,
  type Permission,
  type revokeMyApiKey,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { randomSecret } from '@parley/platform/crypto';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { checkEnd, prefixOf, toApiKey } from './api-key.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';

/** What one makes, sees and ends of one's own keys in an organisation. */
@Injectable()
export class OwnApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  list({ scope, principal, query }: InputOf<typeof listMyApiKeys>): Promise<ResponseOf<typeof listMyApiKeys>> {
    return this.keys.page(scope, query, { userId: principal.userId });
  }

  /** The secret is made here, handed out once, and kept as a hash. */
  async create({ scope, principal, body }: InputOf<typeof createApiKey>): Promise<ResponseOf<typeof createApiKey>> {
    const { userId, organisation, name: ownerName } = principal;
    const { id: _id, name } = body;
    const { orgId } = scope;
    checkWithin(body.permissions, organisation.permissions);
    return this.work.run(principal, async (tx) => {
      const known = await this.keys.find(scope, _id, tx);
      const createdAt = this.clock.now();
      if (known?.userId === userId) return { key: toApiKey(known, createdAt), secret: null };
      if (known) throw new Problem('platform.conflict');
      const endsAt = new Date(body.endsAt);
      checkEnd(endsAt, createdAt);
      const secret = keyStart + randomSecret();
      const given = permissions.filter((permission) => body.permissions.includes(permission));
      const row = { _id, orgId, userId, ownerName, name, permissions: given, createdAt, endsAt };
      const { row: made, isNew } = await this.keys.insert(scope, tx, { ...row, prefix: prefixOf(secret), secret });
      if (!isNew) return { key: toApiKey(made, createdAt), secret: null };
      tx.record(apiKeyCreated, { orgId, userId, apiKeyId: _id, name, permissions: given, endsAt: body.endsAt });
      return { key: toApiKey(made, createdAt), secret };
    });
  }

  async revoke({ scope, principal, params }: InputOf<typeof revokeMyApiKey>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const key = await this.keys.find(scope, params.apiKeyId, tx);
      if (key?.userId !== principal.userId) throw new Problem('platform.not-found');
      await this.keys.end(scope, tx, { key, by: principal, reason: null });
    });
  }
}

function checkWithin(given: readonly Permission[], own: readonly Permission[]): void {
  if (isWithin(given, own)) return;
  const missing = given.filter((permission) => !own.includes(permission));
  throw new Problem('org.beyond-own-rights', { detail: `You do not have: ${missing.join(', ')}.` });
}
