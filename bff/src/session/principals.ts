import {
  getMembership,
  Problem,
  resolveSession,
  type Deployable,
  type Me,
  type OrgId,
  type Permission,
  type PersonPrincipal,
  type UserId,
} from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import type { Platform } from '@parley/platform/service';
import { LRUCache } from 'lru-cache';

const cacheMs = 20_000;
const tokenReuseMs = 40_000;
const mostEntries = 20_000;
const peerCall = { deadlineMs: 5_000, failMode: 'refuse' } as const;

export type Session = { readonly me: Me; readonly sessionKey: string };
type Membership = {
  readonly orgId: OrgId;
  readonly permissions: readonly Permission[];
  readonly rightsVersion: number;
};

/**
 * Session and organisation to principal and token, cached for seconds. What is revoked falls out of the caches at once;
 * without fresh revocations nothing cached counts (`RevocationFeed.check`).
 */
export class Principals {
  private readonly sessions = new LRUCache<string, Session>({ max: mostEntries, ttl: cacheMs });
  private readonly memberships = new LRUCache<string, Membership>({ max: mostEntries, ttl: cacheMs });
  private readonly tokens = new LRUCache<string, string>({ max: mostEntries, ttl: tokenReuseMs });
  private readonly platform: Platform;

  constructor(platform: Platform) {
    this.platform = platform;
    platform.revocations.onRevoked(() => {
      this.sessions.clear();
      this.memberships.clear();
      this.tokens.clear();
    });
  }

  /** Null when nobody is signed in with it. */
  async session(sessionId: string): Promise<Session | null> {
    const key = hashSecret(sessionId);
    return cached(this.sessions, key, () => this.resolve(sessionId));
  }

  /** The principal in the given organisation, or in none. Not a member: 404 `org.organisation-not-found`. */
  async principal({ me, sessionKey }: Session, orgId: OrgId | null): Promise<PersonPrincipal> {
    const organisation = orgId === null ? null : await this.membership(orgId, me.id);
    if (orgId !== null && !organisation) throw new Problem('org.organisation-not-found');
    const { id, name, locale, platformRole, mayCreateOrganisations } = me;
    const principal: PersonPrincipal = {
      kind: 'person',
      userId: id,
      name,
      locale,
      sessionKey,
      platformRole,
      mayCreateOrganisations,
      organisation,
    };
    await this.platform.revocations.check(principal);
    return principal;
  }

  /** A token for one service; the same one for a while, since signing costs more than the rest of a request. */
  async token(principal: PersonPrincipal, audience: Deployable): Promise<string> {
    const { organisation } = principal;
    const key = [
      audience,
      principal.sessionKey,
      organisation?.orgId,
      organisation?.rightsVersion,
      principal.name,
      principal.locale,
    ].join(' ');
    const known = this.tokens.get(key);
    if (known !== undefined) return known;
    const token = await this.platform.signer.sign(principal, audience);
    this.tokens.set(key, token);
    return token;
  }

  private async membership(orgId: OrgId, userId: UserId): Promise<Membership | null> {
    return cached(this.memberships, `${orgId}/${userId}`, async () => {
      const asked = this.platform.peers.call(getMembership, { params: { orgId, userId } }, peerCall);
      const found = await orNull(asked, 'org.organisation-not-found');
      return found && { orgId: found.orgId, permissions: found.permissions, rightsVersion: found.rightsVersion };
    });
  }

  private async resolve(sessionId: string): Promise<Session | null> {
    const asked = this.platform.peers.call(resolveSession, { body: { sessionId } }, peerCall);
    return orNull(asked, 'platform.not-found');
  }
}

async function cached<Value extends object>(
  cache: LRUCache<string, Value>,
  key: string,
  load: () => Promise<Value | null>,
): Promise<Value | null> {
  const known = cache.get(key);
  if (known) return known;
  const value = await load();
  if (value !== null) cache.set(key, value);
  return value;
}

async function orNull<Value>(call: Promise<Value>, code: Problem['code']): Promise<Value | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem && error.code === code) return null;
    throw error;
  }
}
