import { deployables, principal, type Deployable, type Principal } from '@parley/contracts';
import { parseKnown, Problem } from '@parley/protocol';
import { errors, importJWK, jwtVerify, SignJWT, type CryptoKey, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { clockOffset } from '../clock/index.ts';
import { markVerified } from './verified-principals.ts';

const algorithm = 'EdDSA';
/**
 * Limits how far `clockOffset` can change before a cached token isn't reused. Far below the life that a token has left
 * when its cache entry ends.
 */
const mostDriftMs = 5_000;
/** The life of an internal token. */
export const tokenLifetimeMs = 60_000;

/** Signs tokens that name the acting principal: EdDSA by this deployable's own key, 60 s, one audience (RFC 7519). */
export class TokenSigner {
  private readonly issuer: Deployable;
  private readonly key: CryptoKey | Uint8Array;
  private readonly ownTokens = new TokenCache<Deployable>({ max: deployables.length, ttlMs: tokenLifetimeMs / 2 });

  private constructor(issuer: Deployable, key: CryptoKey | Uint8Array) {
    this.issuer = issuer;
    this.key = key;
  }

  static async create(issuer: Deployable, privateKey: JWK): Promise<TokenSigner> {
    return new TokenSigner(issuer, await importJWK(privateKey, algorithm));
  }

  async sign(who: Principal, audience: Deployable): Promise<string> {
    return new SignJWT({ who })
      .setProtectedHeader({ alg: algorithm, typ: 'parley+jwt', kid: this.issuer })
      .setIssuer(this.issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(new Date(Date.now() + tokenLifetimeMs))
      .sign(this.key);
  }

  /**
   * Returns a token by which this deployable acts for itself. The token is reused for half its life, because signing
   * costs more than most calls.
   */
  async signAsService(audience: Deployable): Promise<string> {
    const known = this.ownTokens.get(audience);
    if (known !== undefined) return known;
    const token = await this.sign({ kind: 'service', service: this.issuer }, audience);
    this.ownTokens.set(audience, token);
    return token;
  }
}

/**
 * Caches tokens for a while. Their expiry is wall-clock time, so a token from before a jump of the clock isn't reused:
 * it would be refused, or stay valid for too long.
 */
export class TokenCache<Key extends string> {
  private readonly tokens: LRUCache<Key, { readonly token: string; readonly offset: number }>;

  constructor({ max, ttlMs }: { readonly max: number; readonly ttlMs: number }) {
    this.tokens = new LRUCache({ max, ttl: ttlMs });
  }

  get(key: Key): string | undefined {
    const known = this.tokens.get(key);
    return known && Math.abs(known.offset - clockOffset()) < mostDriftMs ? known.token : undefined;
  }

  set(key: Key, token: string): void {
    this.tokens.set(key, { token, offset: clockOffset() });
  }

  clear(): void {
    this.tokens.clear();
  }
}

type Verified = { readonly principal: Principal; readonly expiresAt: number };
const mostTokens = 10_000;
const isExpired = (cause: unknown): boolean => cause instanceof errors.JWTExpired;

/**
 * Verifies internal tokens locally: algorithm, type, issuer key, audience, expiry. Only the BFF can sign for a person.
 * An invalid token is `platform.unauthenticated`, an expired one `platform.unavailable`, because its caller can ask
 * again with a new one. A cached token isn't verified twice, but still expires.
 */
export class TokenVerifier {
  private readonly audience: Deployable;
  private readonly keys: ReadonlyMap<string, CryptoKey | Uint8Array>;
  private readonly seen = new LRUCache<string, Verified>({ max: mostTokens });

  private constructor(audience: Deployable, keys: ReadonlyMap<string, CryptoKey | Uint8Array>) {
    this.audience = audience;
    this.keys = keys;
  }

  static async create(audience: Deployable, publicKeys: Readonly<Record<string, JWK>>): Promise<TokenVerifier> {
    const keys = new Map<string, CryptoKey | Uint8Array>();
    for (const [issuer, jwk] of Object.entries(publicKeys)) keys.set(issuer, await importJWK(jwk, algorithm));
    return new TokenVerifier(audience, keys);
  }

  async verify(token: string): Promise<Principal> {
    const known = this.seen.get(token);
    if (known && known.expiresAt > Date.now()) return known.principal;
    const verified = await this.verifyFresh(token);
    this.seen.set(token, verified);
    return verified.principal;
  }

  private async verifyFresh(token: string): Promise<Verified> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, (header) => this.keyOf(header.kid), {
        algorithms: [algorithm],
        audience: this.audience,
        typ: 'parley+jwt',
        requiredClaims: ['exp', 'iss', 'aud'],
      });
      const who = parseKnown(principal, payload['who']);
      const mayVouch = who.kind === 'person' ? payload.iss === 'bff' : payload.iss === who.service;
      if (payload.iss !== protectedHeader.kid || !mayVouch) throw new Error('issuer may not sign this');
      markVerified(who);
      return { principal: who, expiresAt: (payload.exp ?? 0) * 1000 };
    } catch (cause) {
      // Lets the caller retry: the token expired by a pause of this process or a jump of the clock, and nobody has to
      // sign in again for that.
      if (isExpired(cause))
        throw new Problem('platform.unavailable', { detail: 'It came too late. Try again.' }, { cause });
      throw new Problem('platform.unauthenticated', {}, { cause });
    }
  }

  private keyOf(issuer: string | undefined): CryptoKey | Uint8Array {
    const key = issuer === undefined ? undefined : this.keys.get(issuer);
    if (!key) throw new Error('unknown issuer');
    return key;
  }
}
