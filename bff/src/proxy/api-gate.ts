import {
  isOpenToKeys,
  locales,
  orgId as orgIdSchema,
  organisationHeader,
  Problem,
  type Locale,
  type OrgId,
  type PersonPrincipal,
  type RouteContract,
} from '@parley/contracts';
import type { Platform } from '@parley/platform/service';
import type { Request } from 'express';
import type { BffSettings } from '../bff-settings.ts';
import { readSessionId } from '../session/cookie.ts';
import type { KeyPrincipals } from '../session/key-principals.ts';
import type { OwnSite } from '../session/own-site.ts';
import type { Principals } from '../session/principals.ts';
import type { Presence } from '../realtime/presence.ts';
import { findRoute } from './route-table.ts';

export type Admitted = {
  readonly route: RouteContract;
  /** Null for a visitor. */
  readonly principal: PersonPrincipal | null;
  readonly token: string | null;
};
type GateParts = {
  readonly platform: Platform;
  readonly settings: BffSettings;
  readonly ownSite: OwnSite;
  readonly principals: Principals;
  readonly keys: KeyPrincipals;
  readonly presence: Pick<Presence, 'act'>;
};

const isChange = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/**
 * Everything that must hold before a request leaves for a service: known route, own site, rate limit, session or API
 * key, organisation. Where a request brings a key, the key alone counts: no cookie is looked at.
 */
export class ApiGate {
  private readonly parts: GateParts;

  constructor(parts: GateParts) {
    this.parts = parts;
  }

  async admit(request: Request): Promise<Admitted> {
    const route = findRoute(request.method, request.path);
    const key = keyOf(request);
    // No other site makes a browser send a key, as it does with a cookie.
    if (isChange(route.method) && key === null) this.parts.ownSite.checkChange(request);
    await this.limitRate(route, request.ip ?? '');
    // A program's client sends its key with everything, also for the documents of /v1, which need none.
    if (route.scope === 'public' && (key === null || route.path.startsWith('/v1/')))
      return { route, principal: null, token: null };
    const principal =
      key === null ? await this.principal(route, request) : await this.principalByKey(key, route, request);
    if (isChange(route.method) && principal.organisation)
      this.parts.presence.act(principal.organisation.orgId, principal.userId);
    const shown = { ...principal, locale: shownLocale(request) ?? principal.locale };
    return { route, principal, token: await this.parts.principals.token(shown, route.service) };
  }

  private async principal(route: RouteContract, request: Request): Promise<PersonPrincipal> {
    const sessionId = readSessionId(request.headers.cookie, this.parts.settings.isInsecureHttp);
    const session = await this.parts.principals.session(sessionId);
    const named = organisationNamed(request);
    if (route.scope !== 'organisation') return this.parts.principals.principal(session, null);
    if (named === null && isChange(route.method)) throw new Problem('platform.organisation-missing');
    const orgId = named ?? session.me.defaultOrgId;
    if (orgId === null) throw new Problem('platform.organisation-missing');
    return this.parts.principals.principal(session, orgId);
  }

  private async principalByKey(key: string, route: RouteContract, request: Request): Promise<PersonPrincipal> {
    const principal = await this.parts.keys.principal(key, request.ip ?? '');
    if (!isOpenToKeys(route))
      throw new Problem('bff.not-by-key', { detail: 'Only a person who is signed in can do this, in the browser.' });
    const named = organisationNamed(request);
    if (named !== null && named !== principal.organisation.orgId)
      throw notThisOrganisation('the API key is of another organisation; leave the header out');
    return principal;
  }

  private async limitRate(route: RouteContract, address: string): Promise<void> {
    if (route.rateLimitPerMinute === undefined) return;
    const minute = Math.floor(Date.now() / 60_000);
    const key = `bff:rate:${route.method} ${route.path}:${address}:${minute}`;
    // Without the shared counts everybody is let through: nobody should be kept out because they are away.
    const count = await this.parts.platform.kv
      .increment(key, { expiresAt: new Date((minute + 1) * 60_000) })
      .catch(() => 0);
    if (count <= route.rateLimitPerMinute) return;
    throw new Problem('platform.rate-limited', {
      retryAfterSeconds: Math.ceil(((minute + 1) * 60_000 - Date.now()) / 1000),
      detail: 'Too many tries from this address.',
    });
  }
}

function organisationNamed(request: Request): OrgId | null {
  const header = request.header(organisationHeader);
  if (header === undefined) return null;
  const parsed = orgIdSchema.safeParse(header);
  if (!parsed.success) throw notThisOrganisation('not an organisation id');
  return parsed.data;
}

const notThisOrganisation = (message: string): Problem =>
  new Problem('platform.invalid-request', { errors: [{ path: `header.${organisationHeader}`, message }] });

/** What a request shows as its API key: the credential of `Authorization: Bearer`, whatever it is; null without one. */
const keyOf = (request: Request): string | null =>
  /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;

/** The language of the page that asks, which names it alone; a browser's own list is no such name. */
const shownLocale = (request: Request): Locale | undefined =>
  locales.find((locale) => locale === request.headers['accept-language']);
