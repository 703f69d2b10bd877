import { Injectable } from '@nestjs/common';
import {
  limits,
  sessionCreated,
  sessionRevoked,
  type chooseDefaultOrganisation,
  type listAuthRevocations,
  type resolveSession,
  type signOut,
  type signOutEverywhere,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret, randomSecret } from '@parley/platform/crypto';
import { jobScope, Mongo, type PersonScope, type RowOf, type Rows, type Transaction } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type DataOf, type OrgId, type ResponseOf } from '@parley/protocol';
import { AuthSettings } from '../auth.config.ts';
import { SecurityLog } from '../security-log/index.ts';
import { toMe, UsersRepository } from '../users/index.ts';
import { endedSessionRows, sessionRows } from './session.collection.ts';
import { fromOf, isAlive, lastUsedAt, startTimes, touch, type Browser } from './session.ts';

/** More than one, so that sign-ins at the same time stay below the limit. */
const mostEndedAtOnce = 2;
const replacing = jobScope('ending the earlier session of a browser');

/** `id` goes into the cookie and nowhere else. */
export type StartedSession = { readonly id: string; readonly defaultOrgId: OrgId | null };

type Session = RowOf<typeof sessionRows>;
/** What a new session needs to know of the person's others. */
export type OtherSessions = {
  /** Of the newest one. */
  readonly defaultOrgId: OrgId | null;
  /** Those that were unused for longest, where there are too many. */
  readonly tooMany: readonly Pick<Session, '_id'>[];
};
type EndReason = DataOf<typeof sessionRevoked>['reason'];

@Injectable()
export class SessionsService {
  private readonly sessions: Rows<typeof sessionRows>;
  private readonly ended: Rows<typeof endedSessionRows>;

  constructor(
    mongo: Mongo,
    private readonly users: UsersRepository,
    private readonly revocations: RevocationLog,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: AuthSettings,
    private readonly log: SecurityLog,
  ) {
    this.sessions = mongo.rows(sessionRows);
    this.ended = mongo.rows(endedSessionRows);
  }

  /**
   * A new id at each sign-in, so that an id planted before is worth nothing. It starts with the default organisation of
   * the person's newest other session. The session that the browser had before ends with it, whosever it was, and one
   * that was unused for longest when there are more than `limits.sessions`. `others` may have been read a moment before.
   */
  async start(
    scope: PersonScope,
    tx: Transaction,
    { others = this.others(scope), ...browser }: Browser & { readonly others?: Promise<OtherSessions> } = {},
  ): Promise<StartedSession> {
    const { earlierId } = browser;
    const id = randomSecret();
    const sessionKey = hashSecret(id);
    const now = this.clock.now();
    const { userId } = scope;
    const { defaultOrgId, tooMany } = await others;
    if (earlierId !== undefined) await this.endEarlier(hashSecret(earlierId), tx);
    for (const { _id } of tooMany) await this.endOne(tx, scope, { sessionKey: _id, reason: 'signed-out' });
    await this.sessions
      .within(scope, tx)
      .insert({ _id: sessionKey, userId, defaultOrgId, createdAt: now, ...startTimes(now), ...fromOf(browser) });
    await this.log.record(tx, { kind: 'signed-in', userId, network: browser.network ?? null });
    tx.record(sessionCreated, { userId, sessionKey, defaultOrgId });
    return { id, defaultOrgId };
  }

  /** Returns the default organisation of the person's newest session; null without any. */
  async latestOrganisation(scope: PersonScope): Promise<OrgId | null> {
    const latest = await this.sessions.within(scope).findOne({}, { sort: { createdAt: -1 } });
    return latest?.defaultOrgId ?? null;
  }

  /** For `start`: outside its transaction, so that it can be read while a password is compared. */
  async others(scope: PersonScope): Promise<OtherSessions> {
    const [defaultOrgId, tooMany] = await Promise.all([this.latestOrganisation(scope), this.beyondLimit(scope)]);
    return { defaultOrgId, tooMany };
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
    const me = toMe(user, { registration, defaultOrgId: session.defaultOrgId });
    const { createdAt, confirmedAt } = session;
    const confirmed = confirmedAt && { confirmedAt: confirmedAt.toISOString() };
    return { me, sessionKey, signedInAt: createdAt.toISOString(), ...confirmed };
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
    await this.work.run(principal, (tx) => this.endOne(tx, scope, { sessionKey, reason: 'signed-out' }));
  }

  async signOutEverywhere({ scope, principal }: InputOf<typeof signOutEverywhere>): Promise<void> {
    await this.work.run(principal, (tx) => this.endAll(tx, scope, { keep: null, reason: 'signed-out-everywhere' }));
  }

  /** Ends one session of the person; false when there is no such one, or it has expired. */
  async endOne(
    tx: Transaction,
    scope: PersonScope,
    { sessionKey, reason }: { sessionKey: string; reason: EndReason },
  ): Promise<boolean> {
    const session = await this.sessions.within(scope, tx).findById(sessionKey);
    if (!session || !isAlive(session, this.clock.now())) return false;
    await this.end(tx, scope, session, reason);
    return true;
  }

  /** Ends every session of the person but the one to be kept; tells how many those are. */
  async endAll(
    tx: Transaction,
    scope: PersonScope,
    { keep, reason }: { keep: string | null; reason: EndReason },
  ): Promise<number> {
    const now = this.clock.now();
    const all = await this.sessions.within(scope, tx).find({ idleUntil: { $gt: now } });
    const others = all.filter((session) => session._id !== keep && isAlive(session, now));
    for (const session of others) await this.end(tx, scope, session, reason);
    return others.length;
  }

  listRevocations({ query }: InputOf<typeof listAuthRevocations>): Promise<ResponseOf<typeof listAuthRevocations>> {
    return this.revocations.list(query.after);
  }

  private async beyondLimit(scope: PersonScope): Promise<OtherSessions['tooMany']> {
    const sessions = this.sessions.within(scope);
    const isUsed = { idleUntil: { $gt: this.clock.now() } };
    if ((await sessions.count(isUsed, { limit: limits.sessions })) < limits.sessions) return [];
    return sessions.find(isUsed, { sort: { idleUntil: 1 }, limit: mostEndedAtOnce, fields: ['_id'] });
  }

  private async endEarlier(sessionKey: string, tx: Transaction): Promise<void> {
    const earlier = await this.sessions.within(replacing, tx).findById(sessionKey);
    if (earlier) await this.endOne(tx, replacing.of(earlier.userId), { sessionKey, reason: 'signed-out' });
  }

  private async end(tx: Transaction, scope: PersonScope, session: Session, reason: EndReason): Promise<void> {
    const { _id, createdAt } = session;
    const { userId } = scope;
    await this.sessions.within(scope, tx).delete({ _id });
    const times = { createdAt, lastUsedAt: lastUsedAt(session), endedAt: this.clock.now() };
    await this.ended.within(scope, tx).insert({ _id, userId, ...times, reason, ...fromOf(session) });
    await this.revocations.record(tx, { kind: 'session', subject: _id, rightsVersion: null, reason });
    // A changed password ends sessions that nobody has signed out of.
    if (reason !== 'password-changed')
      await this.log.record(tx, { kind: 'signed-out', userId, network: session.network ?? null });
    tx.record(sessionRevoked, { userId, sessionKey: _id, reason });
  }
}
