import {
  confirmedUntil,
  getMembership,
  resolveSession,
  type Deployable,
  type GroupId,
  type Me,
  type Permission,
  type PersonPrincipal,
  type RoleKey,
} from '@parley/contracts';
import { hashSecret, TokenCache } from '@parley/platform/crypto';
import { signedOut } from '@parley/platform/revocations';
import type { Platform } from '@parley/platform/service';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import { LRUCache } from 'lru-cache';

const cacheMs = 20_000;
const tokenReuseMs = 40_000;
const mostEntries = 20_000;
const peerCall = { deadlineMs: 5_000, failMode: 'refuse' } as const;

export type Session = {
  readonly me: Me;
  readonly sessionKey: string;
  readonly signedInAt: string;
  /** When the password was last entered in it. */
  readonly confirmedAt: string;
};
/** Whoever acts, by a session or by an API key, and since when there is one. */
type Signed = Pick<Session, 'sessionKey' | 'signedInAt'> & {
  /** Of a session. */
  readonly confirmedAt?: string;
  readonly me: Pick<Me, 'id' | 'name' | 'locale' | 'platformRole' | 'mayCreateOrganisations'>;
};
type Membership = {
  readonly orgId: OrgId;
  readonly permissions: readonly Permission[];
  readonly rightsVersion: number;
  readonly name: string | undefined;
  readonly role: RoleKey | undefined;
  readonly groupIds: readonly GroupId[] | undefined;
  readonly accessEnd: { readonly at: string; readonly reason: string } | null;
};

type Cache<Value> = { get(key: string): Value | undefined; set(key: string, value: Value): void };

/**
 * Session and organisation to principal and token, cached for seconds. What is revoked falls out of the caches at once;
 * without fresh revocations nothing cached counts (`RevocationFeed.check`).
 */
export class Principals {
  private readonly sessions = new LRUCache<string, Session>({ max: mostEntries, ttl: cacheMs });
  private readonly memberships = new LRUCache<string, Membership>({ max: mostEntries, ttl: cacheMs });
  /** Sessions that were of somebody when this process asked last. */
  private readonly worked = new LRUCache<string, true>({ max: mostEntries });
  private readonly tokens = new TokenCache<string>({ max: mostEntries, ttlMs: tokenReuseMs });
  /** What was asked for before one is not remembered after it: it may be of before the change. */
  private revocations = 0;
  private readonly platform: Platform;

  constructor(platform: Platform) {
    this.platform = platform;
    const forget = (): void => {
      this.revocations += 1;
      this.sessions.clear();
      this.memberships.clear();
      this.tokens.clear();
    };
    // `principal` asks before anything cached counts.
    platform.revocations.onRevoked(forget, { whileAsked: true });
  }

  /**
   * Who is signed in with it, else `platform.unauthenticated`, with how the session ended where that is known. For what is
   * sensitive, one whose password was entered too long ago is asked for again: it may have been entered just now.
   */
  async session(sessionId: string | null, { isSensitive = false } = {}): Promise<Session> {
    if (sessionId === null) throw signedOut(null);
    const key = hashSecret(sessionId);
    const known = isSensitive ? this.sessions.get(key) : undefined;
    if (known && !confirmedUntil(known.confirmedAt, new Date())) this.sessions.delete(key);
    return this.remembered<Session>(this.sessions, key, () => this.resolve(sessionId, key));
  }

  /** Returns whether this process has known it as somebody's: others can be made up. */
  hasWorked(sessionId: string): boolean {
    return this.worked.has(hashSecret(sessionId));
  }

  /**
   * The principal in the given organisation, or in none. Not a member: 404 `org.organisation-not-found`; somebody ended
   * the access since the session began: 403 `org.access-ended`.
   */
  async principal(session: Signed, orgId: OrgId | null): Promise<PersonPrincipal> {
    const principal = await this.principalNow(session, orgId);
    try {
      await this.platform.revocations.check(principal);
      return principal;
    } catch (error) {
      if (!isProblem(error, 'platform.rights-changed')) throw error;
    }
    // It was being asked for while the rights changed, and came into the cache afterwards.
    this.memberships.delete(`${orgId}/${session.me.id}`);
    const renewed = await this.principalNow(session, orgId);
    await this.platform.revocations.check(renewed);
    return renewed;
  }

  private async principalNow(session: Signed, orgId: OrgId | null): Promise<PersonPrincipal> {
    const { me, sessionKey, confirmedAt } = session;
    const organisation = orgId === null ? null : await this.organisation(session, orgId);
    const { id: userId, name, locale, platformRole, mayCreateOrganisations } = me;
    const who = { kind: 'person', userId, name, locale, sessionKey, ...(confirmedAt && { confirmedAt }) } as const;
    return { ...who, platformRole, mayCreateOrganisations, organisation };
  }

  private async organisation({ me, signedInAt }: Signed, orgId: OrgId): Promise<PersonPrincipal['organisation']> {
    const membership = await this.membership(orgId, me.id);
    if (!membership) throw new Problem('org.organisation-not-found');
    const { accessEnd, ...organisation } = membership;
    // Both are ISO 8601 in UTC.
    if (accessEnd && signedInAt <= accessEnd.at) throw new Problem('org.access-ended', { detail: accessEnd.reason });
    return organisation;
  }

  /** A token for one service; the same one for a while, since signing costs more than the rest of a request. */
  async token(principal: PersonPrincipal, audience: Deployable): Promise<string> {
    const { organisation } = principal;
    const key = [
      audience,
      principal.sessionKey,
      principal.confirmedAt,
      organisation?.orgId,
      organisation?.rightsVersion,
      organisation?.groupIds?.join(),
      principal.name,
      principal.locale,
    ].join(' ');
    return this.remembered<string>(this.tokens, key, () => this.newToken(principal, audience));
  }

  /** Of its own: none that is remembered. */
  newToken(principal: PersonPrincipal, audience: Deployable): Promise<string> {
    return this.platform.signer.sign(principal, audience);
  }

  private async remembered<Value extends string | object>(
    cache: Cache<Value>,
    key: string,
    ask: () => Promise<Value>,
  ): Promise<Value> {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const before = this.revocations;
    const found = await ask();
    if (this.revocations === before) cache.set(key, found);
    return found;
  }

  private async membership(orgId: OrgId, userId: UserId): Promise<Membership | null> {
    const key = `${orgId}/${userId}`;
    try {
      return await this.remembered<Membership>(this.memberships, key, async () => {
        const asked = await this.platform.peers.call(getMembership, { params: { orgId, userId } }, peerCall);
        const { permissions, rightsVersion, organisationName: name, role, accessEnd, groupIds } = asked;
        return { orgId, permissions, rightsVersion, name, role, accessEnd, groupIds };
      });
    } catch (error) {
      if (isProblem(error, 'org.organisation-not-found')) return null;
      throw error;
    }
  }

  private async resolve(sessionId: string, key: string): Promise<Session> {
    try {
      const session = await this.platform.peers.call(resolveSession, { body: { sessionId } }, peerCall);
      this.worked.set(key, true);
      return { ...session, confirmedAt: session.confirmedAt ?? session.signedInAt };
    } catch (error) {
      if (!isProblem(error, 'platform.not-found')) throw error;
      this.worked.delete(key);
      throw signedOut(error.extras.sessionEnd ?? this.platform.revocations.endOf(key));
    }
  }
}

const isProblem = (error: unknown, code: Problem['code']): error is Problem =>
  error instanceof Problem && error.code === code;
