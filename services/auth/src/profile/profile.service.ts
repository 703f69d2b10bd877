import { Injectable } from '@nestjs/common';
import { userUpdated, type getMe, type getPerson, type knowsAddress, type Me, type updateMe } from '@parley/contracts';
import type { PersonScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { AuthSettings } from '../auth.config.ts';
import { PicturesService } from '../pictures/index.ts';
import { SessionsService } from '../sessions/index.ts';
import { toMe, UsersRepository, type User } from '../users/index.ts';

@Injectable()
export class ProfileService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly pictures: PicturesService,
    private readonly settings: AuthSettings,
    private readonly work: Work,
  ) {}

  async read({ scope, principal }: Pick<InputOf<typeof getMe>, 'scope' | 'principal'>): Promise<Me> {
    const user = await this.users.findById(scope);
    if (!user) throw new Problem('platform.unauthenticated');
    return this.present(user, scope, principal.sessionKey);
  }

  /** A version that is not the current one is `platform.conflict` with the current state. A picture is one of the own. */
  async update({ scope, principal, body }: InputOf<typeof updateMe>): Promise<Me> {
    const { version, ...changes } = body;
    const updated = await this.work.run(principal, async (tx) => {
      const user = await this.users.update(scope, { version, changes }, tx);
      if (!user) return null;
      if (changes.picture !== undefined) await this.pictures.choose(scope, changes.picture, tx);
      tx.record(userUpdated, { userId: user.id, version: user.version });
      return user;
    });
    if (!updated) throw new Problem('platform.conflict', { current: await this.read({ scope, principal }) });
    return this.present(updated, scope, principal.sessionKey);
  }

  /** For services that keep a copy. */
  async describe({ scope, params }: InputOf<typeof getPerson>): Promise<ResponseOf<typeof getPerson>> {
    const own = scope.of(params.userId);
    const [user, arrival] = await Promise.all([this.users.findById(own), this.users.arrival(own)]);
    if (!user || !arrival) throw new Problem('platform.not-found');
    const { id: userId, name, picture, email, isProven, locale, version } = user;
    const { createdAt, invitedBy } = arrival;
    const known = { userId, name, picture, email, isProven, invitedBy, locale, version };
    return { ...known, createdAt: createdAt.toISOString() };
  }

  async isKnown({ scope, body }: InputOf<typeof knowsAddress>): Promise<ResponseOf<typeof knowsAddress>> {
    return { isKnown: (await this.users.findByEmail(scope, body.email)) !== null };
  }

  private async present(user: User, scope: PersonScope, sessionKey: string): Promise<Me> {
    return toMe(user, {
      registration: this.settings.registration,
      defaultOrgId: await this.sessions.defaultOrganisation(scope, sessionKey),
    });
  }
}
