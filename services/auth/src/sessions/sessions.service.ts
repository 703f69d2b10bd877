import { Injectable } from '@nestjs/common';
import {
  Problem,
  sessionCreated,
  sessionRevoked,
  type chooseDefaultOrganisation,
  type DataOf,
  type listAuthRevocations,
  type OrgId,
  type resolveSession,
  type ResponseOf,
  type Revocation,
  type signOut,
  type signOutEverywhere,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret, randomSecret } from '@parley/platform/crypto';
import { jobScope, Mongo, type PersonScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { AuthSettings } from '../auth.config.ts';
import { toMe, UsersRepository } from '../users/index.ts';
import { sessionRows } from './session.collection.ts';
import { isAlive, startTimes, touch } from './session.ts';

const replacing = jobScope('ending the earlier session of a browser');

/** `id` goes into the cookie and nowhere else. */
export type StartedSession = { readonly id: string; readonly defaultOrgId: OrgId | null };

type EndReason = DataOf<typeof sessionRevoked>['reason'];

@Injectable()
export class SessionsService {
  private readonly sessions: Rows<typeof sessionRows>;

  constructor(
    mongo: Mongo,
    private readonly users: UsersRepository,
    private readonly revocations: RevocationLog,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: AuthSettings,
  ) {
    this.sessions = mongo.rows(sessionRows);
  }

  /**
   * A new id at each sign-in, so that an id planted before is worth nothing. It starts with the default organisation of
   * the person's newest other session. The session that the browser had before ends with it, whosever it was.
   */
  async start(scope: PersonScope, tx: Transaction, earlierId?: string): Promise<StartedSession> {
    const id = randomSecret();
    const sessionKey = hashSecret(id);
    const now = this.clock.now();
    const { userId } = scope;
    const sessions = this.sessions.within(scope, tx);
    const latest = await sessions.findOne({}, { sort: { createdAt: -1 } });
    const defaultOrgId = latest?.defaultOrgId ?? null;
    if (earlierId !== undefined) await this.endEarlier(hashSecret(earlierId), tx);
    await sessions.insert({ _id: sessionKey, userId, defaultOrgId, createdAt: now, ...startTimes(now) });
    tx.record(sessionCreated, { userId, sessionKey, defaultOrgId });
    return { id, defaultOrgId };
  }

  /** For the BFF: who this is. 404 `platform.not-found` when the session has ended, or expired, or never was. */
  async resolve({ scope, body }: InputOf<typeof resolveSession>): Promise<ResponseOf<typeof resolveSession>> {
    const sessionKey = hashSecret(body.sessionId);
    const session = await this.sessions.within(scope).findById(sessionKey);
    const now = this.clock.now();
    if (!session || !isAlive(session, now))
      throw new Problem('platform.not-found', session ? { sessionEnd: 'expired' } : {});
    const own = scope.of(session.userId);
    const user = await this.users.findById(own);
    if (!user) throw new Problem('platform.not-found');
    const idleUntil = touch(session, now);
    if (idleUntil) await this.sessions.within(own).update({ _id: sessionKey }, { $set: { idleUntil } });
    const { registration } = this.settings;
    return { me: toMe(user, { registration, defaultOrgId: session.defaultOrgId }), sessionKey };
  }

  async defaultOrganisation(scope: PersonScope, sessionKey: string): Promise<OrgId | null> {
    return (await this.sessions.within(scope).findById(sessionKey))?.defaultOrgId ?? null;
  }

  async chooseDefault({ scope, principal, body }: InputOf<typeof chooseDefaultOrganisation>): Promise<void> {
    await this.sessions.within(scope).update({ _id: principal.sessionKey }, { $set: { defaultOrgId: body.orgId } });
  }

  /** Ends this session: tabs and sockets of it lose access within a second. */
  async signOut({ scope, principal }: InputOf<typeof signOut>): Promise<void> {
    const { sessionKey } = principal;
    await this.work.run(principal, async (tx) => {
      if (await this.sessions.within(scope, tx).delete({ _id: sessionKey }))
        await this.recordEnd(tx, scope, { sessionKey, reason: 'signed-out' });
    });
  }

  async signOutEverywhere({ scope, principal }: InputOf<typeof signOutEverywhere>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const sessions = this.sessions.within(scope, tx);
      const ended = await sessions.find({}, { fields: ['_id'] });
      await sessions.deleteMany({});
      for (const { _id: sessionKey } of ended)
        await this.recordEnd(tx, scope, { sessionKey, reason: 'signed-out-everywhere' });
    });
  }

  /** Ends every session of the person but the one to be kept; tells how many those are. */
  async endAll(
    tx: Transaction,
    scope: PersonScope,
    { keep, reason }: { keep: string | null; reason: EndReason },
  ): Promise<number> {
    const sessions = this.sessions.within(scope, tx);
    const others = (await sessions.find({}, { fields: ['_id'] })).filter(({ _id }) => _id !== keep);
    for (const { _id: sessionKey } of others) {
      await sessions.delete({ _id: sessionKey });
      await this.recordEnd(tx, scope, { sessionKey, reason });
    }
    return others.length;
  }

  listRevocations({ query }: InputOf<typeof listAuthRevocations>): Promise<ResponseOf<typeof listAuthRevocations>> {
    return this.revocations.list(query.after);
  }

  private async endEarlier(sessionKey: string, tx: Transaction): Promise<void> {
    const earlier = await this.sessions.within(replacing, tx).findById(sessionKey);
    if (!earlier) return;
    const own = replacing.of(earlier.userId);
    await this.sessions.within(own, tx).delete({ _id: sessionKey });
    await this.recordEnd(tx, own, { sessionKey, reason: 'signed-out' });
  }

  private async recordEnd(
    tx: Transaction,
    { userId }: PersonScope,
    { sessionKey, reason }: Required<Pick<Revocation, 'reason'>> & { sessionKey: string },
  ): Promise<void> {
    await this.revocations.record(tx, { kind: 'session', subject: sessionKey, rightsVersion: null, reason });
    tx.record(sessionRevoked, { userId, sessionKey, reason });
  }
}
