import {
  attemptLimits,
  findApiKeys,
  keyPermissions,
  keyStart,
  mostKeysTogether,
  resolveApiKey,
} from '@parley/contracts';
import type { Counts } from '@parley/platform/counts';
import { hashSecret } from '@parley/platform/crypto';
import type { Member, Platform } from '@parley/platform/service';
import { Problem, type ResponseOf } from '@parley/protocol';
import { LRUCache } from 'lru-cache';
import { networkOf, visitorOf } from './network.ts';
import type { Principals } from './principals.ts';

const cacheMs = 20_000;
const mostEntries = 20_000;
const peerCall = { deadlineMs: 5_000, failMode: 'refuse' } as const;
const { windowMs, detail: tooMany } = attemptLimits['api-key'];

type KeyParts = {
  readonly platform: Platform;
  readonly principals: Principals;
  readonly counts: Pick<Counts, 'attempt'>;
};
type Holder = ResponseOf<typeof resolveApiKey>;
type WrongKey = { readonly until: number; readonly detail: string | undefined; readonly isOneTooMany: boolean };
type Batch = { readonly hashes: Set<string>; readonly found: Promise<ReadonlySet<string>> };

/**
 * API key to principal: its owner as a member of its organisation, with what key and owner both may. Cached like
 * sessions: what is revoked falls out at once.
 */
export class KeyPrincipals {
  private readonly holders = new LRUCache<string, Holder>({ max: mostEntries, ttl: cacheMs });
  /** Keys that have worked before wait for no others. */
  private readonly worked = new LRUCache<string, true>({ max: mostEntries });
  /** By address and key, for a minute. */
  private readonly wrong = new LRUCache<string, WrongKey>({ max: mostEntries });
  /** By address: unknown keys that are asked for next, and the call that they wait for. */
  private readonly batches = new Map<string, Batch>();
  private readonly asking = new Map<string, Promise<void>>();

  constructor(
    private readonly parts: KeyParts,
    private readonly now: () => number = () => Date.now(),
  ) {
    parts.platform.revocations.onRevoked(() => this.holders.clear(), { whileAsked: true });
  }

  /**
   * Returns whose key it is. `auth.api-key-invalid` for a key that does not work; `platform.rate-limited`
   * for one that does not work after ten others of its address in a minute. A key that works is let through either way.
   */
  async holder(secret: string, address: string): Promise<Holder> {
    const hash = hashSecret(secret);
    const holder = this.holders.get(hash) ?? (await this.unknown(secret, hash, address));
    if (Date.parse(holder.endsAt) <= this.now()) throw keyInvalid('It has expired.');
    return holder;
  }

  /**
   * Returns the key's owner as a principal. Throws `auth.api-key-invalid` if the owner isn't a member, their access was
   * ended, or the key was revoked.
   */
  async principalOf(key: Holder): Promise<Member> {
    // Of the installation a key does nothing, whatever its owner may.
    const me = {
      id: key.userId,
      name: key.name,
      locale: key.locale,
      platformRole: null,
      mayCreateOrganisations: false,
    };
    const session = { me, sessionKey: key.apiKeyId, signedInAt: key.createdAt };
    const principal = await this.parts.principals.principal(session, key.orgId).catch((error: unknown) => {
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

  /** Keys that this process hasn't seen working are looked up together first: many wrong ones cost few calls. */
  private async unknown(secret: string, hash: string, address: string): Promise<Holder> {
    const visitor = visitorOf(address);
    const isWrong = !secret.startsWith(keyStart) || this.knownWrong(visitor, hash) !== null;
    if (isWrong || this.worked.has(hash) || (await this.isThere(visitor, hash)))
      return this.resolve(secret, hash, address);
    throw this.refusal(await this.noteWrong(hash, visitor, 'There is no such key.'));
  }

  /** Returns whether there is such a key: all that wait at an address are asked for together, one call after the other. */
  private isThere(visitor: string, hash: string): Promise<boolean> {
    const waiting = this.batches.get(visitor);
    if (waiting && waiting.hashes.size < mostKeysTogether) {
      waiting.hashes.add(hash);
      return waiting.found.then((found) => found.has(hash));
    }
    const hashes = new Set([hash]);
    const before = this.asking.get(visitor) ?? Promise.resolve();
    const found = before.then(async () => {
      if (this.batches.get(visitor)?.hashes === hashes) this.batches.delete(visitor);
      const answer = await this.parts.platform.peers.call(findApiKeys, { body: { hashes: [...hashes] } }, peerCall);
      return new Set(answer.found);
    });
    this.batches.set(visitor, { hashes, found });
    const ended = found.then(
      () => undefined,
      () => undefined,
    );
    this.asking.set(visitor, ended);
    void ended.then(() => this.asking.get(visitor) === ended && this.asking.delete(visitor));
    return found.then((all) => all.has(hash));
  }

  private async resolve(secret: string, hash: string, address: string): Promise<Holder> {
    const known = this.knownWrong(visitorOf(address), hash);
    if (known) throw this.refusal(known);
    try {
      if (!secret.startsWith(keyStart)) throw keyInvalid(`A key begins with ${keyStart}.`);
      const body = { secret, network: networkOf(address) };
      const holder = await this.parts.platform.peers.call(resolveApiKey, { body }, peerCall);
      this.holders.set(hash, holder);
      this.worked.set(hash, true);
      return holder;
    } catch (error) {
      if (!isProblem(error, 'platform.not-found') && !isProblem(error, 'auth.api-key-invalid')) throw error;
      throw this.refusal(await this.noteWrong(hash, visitorOf(address), error.extras.detail));
    }
  }

  /** Counts a wrong key once, however often it is sent within a minute. */
  private async noteWrong(hash: string, visitor: string, detail: string | undefined): Promise<WrongKey> {
    const until = this.now() + windowMs;
    const isOneTooMany = await this.parts.counts.attempt('api-key', visitor).then(
      () => false,
      () => true,
    );
    const wrong = { until, detail, isOneTooMany };
    this.wrong.set(`${visitor} ${hash}`, wrong);
    return wrong;
  }

  private knownWrong(visitor: string, hash: string): WrongKey | null {
    const known = this.wrong.get(`${visitor} ${hash}`);
    return known && known.until > this.now() ? known : null;
  }

  private refusal({ until, detail, isOneTooMany }: WrongKey): Problem {
    if (!isOneTooMany) return keyInvalid(detail);
    const retryAfterSeconds = Math.ceil((until - this.now()) / 1_000);
    return new Problem('platform.rate-limited', { retryAfterSeconds, detail: tooMany });
  }
}

const keyInvalid = (detail?: string): Problem => new Problem('auth.api-key-invalid', { ...(detail && { detail }) });

const isProblem = (error: unknown, code: Problem['code']): error is Problem =>
  error instanceof Problem && error.code === code;
