import { Injectable } from '@nestjs/common';
import { Problem, type BodyOf, type Me, type updateMe } from '@parley/contracts';
import type { PersonScope } from '@parley/platform/mongo';
import { AuthSettings } from '../auth.config.ts';
import { SessionsService } from '../sessions/index.ts';
import { toMe, UsersRepository, type User } from '../users/index.ts';

@Injectable()
export class ProfileService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly settings: AuthSettings,
  ) {}

  async read(scope: PersonScope, sessionKey: string): Promise<Me> {
    const user = await this.users.findById(scope);
    if (!user) throw new Problem('platform.unauthenticated');
    return this.present(user, sessionKey);
  }

  /** A version that is not the current one is `platform.conflict` with the current state. */
  async update(scope: PersonScope, sessionKey: string, { version, ...changes }: BodyOf<typeof updateMe>): Promise<Me> {
    const updated = await this.users.update(scope, version, changes);
    if (!updated) throw new Problem('platform.conflict', { current: await this.read(scope, sessionKey) });
    return this.present(updated, sessionKey);
  }

  private async present(user: User, sessionKey: string): Promise<Me> {
    return toMe(user, {
      registration: this.settings.registration,
      defaultOrgId: await this.sessions.defaultOrganisation(sessionKey),
    });
  }
}
