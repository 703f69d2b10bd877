import { Injectable } from '@nestjs/common';
import { Problem, sessionCreated, sessionRevoked, type Me, type OrgId, type PersonPrincipal } from '@parley/contracts';
import { hashSecret, randomSecret } from '@parley/platform/crypto';
import { jobScope, type PersonScope, type Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import { RevocationLog } from '@parley/platform/revocations';
import { AuthSettings } from '../auth.config.ts';
import { toMe, UsersRepository } from '../users/index.ts';
import { isAlive, startTimes, touch } from './session.ts';
import { SessionsRepository } from './sessions.repository.ts';

const resolving = jobScope('resolving a session');

/** `id` goes into the cookie and nowhere else. */
export type StartedSession = { readonly id: string; readonly defaultOrgId: OrgId | null };

@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly users: UsersRepository,
    private readonly revocations: RevocationLog,
    private readonly work: Work,
    private readonly settings: AuthSettings,
  ) {}

  /** A new id at each sign-in, so that an id planted before is worth nothing. */
  async start(scope: PersonScope, tx: Transaction): Promise<StartedSession> {
    const id = randomSecret();
    const sessionKey = hashSecret(id);
    const now = new Date();
    const defaultOrgId = await this.sessions.create(scope, { _id: sessionKey, createdAt: now, ...startTimes(now) }, tx);
    tx.record(sessionCreated, { userId: scope.userId, sessionKey, defaultOrgId });
    return { id, defaultOrgId };
  }

  /** For the BFF: who this is. 404 `platform.not-found` when the session has ended or never was. */
  async resolve(sessionId: string): Promise<{ me: Me; sessionKey: string }> {
    const sessionKey = hashSecret(sessionId);
    const session = await this.sessions.find(resolving, sessionKey);
    const now = new Date();
    if (!session || !isAlive(session, now)) throw new Problem('platform.not-found');
    const scope = resolving.of(session.userId);
    const user = await this.users.findById(scope);
    if (!user) throw new Problem('platform.not-found');
    const idleUntil = touch(session, now);
    if (idleUntil) await this.sessions.touch(scope, sessionKey, idleUntil);
    return {
      me: toMe(user, { registration: this.settings.registration, defaultOrgId: session.defaultOrgId ?? null }),
      sessionKey,
    };
  }

  async defaultOrganisation(sessionKey: string): Promise<OrgId | null> {
    const session = await this.sessions.find(jobScope('own session'), sessionKey);
    return session?.defaultOrgId ?? null;
  }

  async chooseDefaultOrganisation(scope: PersonScope, sessionKey: string, orgId: OrgId): Promise<void> {
    await this.sessions.setDefaultOrganisation(scope, sessionKey, orgId);
  }

  /** Ends this session: tabs and sockets of it lose access within a second. */
  async end(scope: PersonScope, principal: PersonPrincipal): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const { sessionKey } = principal;
      if (!(await this.sessions.delete(scope, sessionKey, tx))) return;
      await this.recordEnd(tx, scope, { sessionKeys: [sessionKey], reason: 'signed-out' });
    });
  }

  async endAll(scope: PersonScope, principal: PersonPrincipal): Promise<void> {
    await this.work.run(principal, async (tx) => {
      await this.recordEnd(tx, scope, {
        sessionKeys: await this.sessions.deleteAll(scope, tx),
        reason: 'signed-out-everywhere',
      });
    });
  }

  private async recordEnd(
    tx: Transaction,
    scope: PersonScope,
    end: { sessionKeys: readonly string[]; reason: 'signed-out' | 'signed-out-everywhere' },
  ): Promise<void> {
    const { userId } = scope;
    for (const sessionKey of end.sessionKeys) {
      await this.revocations.record(tx, { kind: 'session', subject: sessionKey, rightsVersion: null });
      tx.record(sessionRevoked, { userId, sessionKey, reason: end.reason });
    }
  }
}
