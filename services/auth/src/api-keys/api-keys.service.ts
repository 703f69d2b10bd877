import { Injectable } from '@nestjs/common';
import type { findApiKeys, listApiKeys, resolveApiKey, revokeApiKey } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { UsersRepository } from '../users/index.ts';
import { isAlive, isUseNews } from './api-key.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';

/** All keys of an organisation, for whoever looks after it, and whose a key is, for the BFF. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly users: UsersRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  list({ scope, query }: InputOf<typeof listApiKeys>): Promise<ResponseOf<typeof listApiKeys>> {
    const { text, state, ...page } = query;
    return this.keys.page(scope, page, { text, state });
  }

  async revoke({ scope, principal, params, query }: InputOf<typeof revokeApiKey>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const key = await this.keys.find(scope, params.apiKeyId, tx);
      if (!key) throw new Problem('platform.not-found');
      await this.keys.end(scope, tx, { key, by: principal, reason: query.reason });
    });
  }

  async find({ scope, body }: InputOf<typeof findApiKeys>): Promise<ResponseOf<typeof findApiKeys>> {
    return { found: await this.keys.findHashes(scope, body.hashes) };
  }

  /** Whoever has the secret may know why it does not work. */
  async resolve({ scope, body }: InputOf<typeof resolveApiKey>): Promise<ResponseOf<typeof resolveApiKey>> {
    const key = await this.keys.findBySecret(scope, body.secret);
    if (!key) throw new Problem('platform.not-found', { detail: 'There is no such key.' });
    const now = this.clock.now();
    if (!isAlive(key, now))
      throw new Problem('platform.not-found', { detail: key.revoked ? 'It was revoked.' : 'It has expired.' });
    const { _id: apiKeyId, orgId, userId, permissions } = key;
    const [createdAt, endsAt] = [key.createdAt.toISOString(), key.endsAt.toISOString()];
    const user = await this.users.findById(scope.of(userId));
    if (!user) throw new Problem('platform.not-found', { detail: 'Its owner has no account any more.' });
    if (isUseNews(key, now)) await this.keys.noteUse(scope.in(orgId), apiKeyId, body.network);
    const { name, locale } = user;
    return { apiKeyId, orgId, userId, name, locale, permissions, createdAt, endsAt };
  }
}
