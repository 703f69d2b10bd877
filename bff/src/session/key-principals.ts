import { keyPermissions, keyStart, Problem, resolveApiKey, type ResponseOf } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import type { Member, Platform } from '@parley/platform/service';
import { LRUCache } from 'lru-cache';
import { networkOf } from './network.ts';
import type { Principals } from './principals.ts';

const cacheMs = 20_000;
const mostEntries = 20_000;
const peerCall = { deadlineMs: 5_000, failMode: 'refuse' } as const;
const minuteMs = 60_000;
const mostWrongKeys = 10;

type Holder = ResponseOf<typeof resolveApiKey>;

/**
 * API key to principal: its owner as a member of its organisation, with what key and owner both may. Cached like
 * sessions: what is revoked falls out at once.
 */
export class KeyPrincipals {
  private readonly holders = new LRUCache<string, Holder>({ max: mostEntries, ttl: cacheMs });

  constructor(
    private readonly platform: Platform,
    private readonly principals: Principals,
  ) {
    platform.revocations.onRevoked(() => this.holders.clear());
  }

  /**
   * `auth.api-key-invalid` for a key that does not work, and for one whose owner is no member; `platform.rate-limited`
   * after ten such from one address in a minute.
   */
  async principal(secret: string, address: string): Promise<Member> {
    const key = await this.holder(secret, address);
    // Of the installation a key does nothing, whatever its owner may.
    const me = {
      id: key.userId,
      name: key.name,
      locale: key.locale,
      platformRole: null,
      mayCreateOrganisations: false,
    };
    const session = { me, sessionKey: key.apiKeyId, signedInAt: key.createdAt };
    const principal = await this.principals.principal(session, key.orgId).catch((error: unknown) => {
      if (isProblem(error, 'org.organisation-not-found')) throw keyInvalid('Its owner is not a member any more.');
      if (isProblem(error, 'org.access-ended'))
        throw keyInvalid('The access of its owner was ended since it was made. Make a new one.');
      throw isProblem(error, 'platform.unauthenticated') ? keyInvalid('It was revoked.') : error;
    });
    const organisation = principal.organisation!;
    const permissions = organisation.permissions.filter(
      (permission) => key.permissions.includes(permission) && keyPermissions.includes(permission),
    );
    return { ...principal, organisation: { ...organisation, permissions } };
  }

  private async holder(secret: string, address: string): Promise<Holder> {
    const hash = hashSecret(secret);
    let holder = this.holders.get(hash);
    if (!holder) {
      holder = await this.resolve(secret, address);
      this.holders.set(hash, holder);
    }
    if (Date.parse(holder.endsAt) <= Date.now()) throw keyInvalid('It has expired.');
    return holder;
  }

  private async resolve(secret: string, address: string): Promise<Holder> {
    const wrong = wrongKeysOf(address);
    // Without the shared counts everybody is let through: no key is short enough to be guessed.
    const count = Number(await this.platform.kv.get(wrong.key).catch(() => null));
    if (count >= mostWrongKeys)
      throw new Problem('platform.rate-limited', {
        retryAfterSeconds: wrong.secondsLeft,
        detail: 'Too many API keys from this address did not work.',
      });
    try {
      if (!secret.startsWith(keyStart)) throw keyInvalid(`A key begins with ${keyStart}.`);
      return await this.platform.peers.call(resolveApiKey, { body: { secret, network: networkOf(address) } }, peerCall);
    } catch (error) {
      if (!isProblem(error, 'platform.not-found') && !isProblem(error, 'auth.api-key-invalid')) throw error;
      await this.platform.kv.increment(wrong.key, { expiresAt: wrong.endsAt }).catch(() => 0);
      throw keyInvalid(error.extras.detail);
    }
  }
}

/** Where the keys of an address that did not work are counted in this minute. */
function wrongKeysOf(address: string) {
  const minute = Math.floor(Date.now() / minuteMs);
  const endsAt = new Date((minute + 1) * minuteMs);
  const secondsLeft = Math.ceil((endsAt.getTime() - Date.now()) / 1000);
  return { key: `bff:wrong-keys:${address}:${minute}`, endsAt, secondsLeft };
}

const keyInvalid = (detail?: string): Problem => new Problem('auth.api-key-invalid', { ...(detail && { detail }) });

const isProblem = (error: unknown, code: Problem['code']): error is Problem =>
  error instanceof Problem && error.code === code;
