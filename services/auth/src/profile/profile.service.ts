import { Injectable } from '@nestjs/common';
import { Problem, type getMe, type Me, type updateMe } from '@parley/contracts';
import type { PersonScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
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

  async read({ scope, principal }: Pick<InputOf<typeof getMe>, 'scope' | 'principal'>): Promise<Me> {
    const user = await this.users.findById(scope);
    if (!user) throw new Problem('platform.unauthenticated');
    return this.present(user, scope, principal.sessionKey);
  }

  /** A version that is not the current one is `platform.conflict` with the current state. */
  async update({ scope, principal, body }: InputOf<typeof updateMe>): Promise<Me> {
    const { version, ...changes } = body;
    const updated = await this.users.update(scope, version, changes);
    if (!updated) throw new Problem('platform.conflict', { current: await this.read({ scope, principal }) });
    return this.present(updated, scope, principal.sessionKey);
  }

  private async present(user: User, scope: PersonScope, sessionKey: string): Promise<Me> {
    return toMe(user, {
      registration: this.settings.registration,
      defaultOrgId: await this.sessions.defaultOrganisation(scope, sessionKey),
    });
  }
}
