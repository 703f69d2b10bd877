import {
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
import type { OwnSite } from '../session/own-site.ts';
import type { Principals } from '../session/principals.ts';
import { findRoute } from './route-table.ts';

export type Admitted = { readonly route: RouteContract; readonly token: string | null };
type GateParts = {
  readonly platform: Platform;
  readonly settings: BffSettings;
  readonly ownSite: OwnSite;
  readonly principals: Principals;
};

const isChange = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/**
 * Everything that must hold before a request leaves for a service: known route, own site, rate limit, session,
 * organisation.
 */
export class ApiGate {
  private readonly parts: GateParts;

  constructor(parts: GateParts) {
    this.parts = parts;
  }

  async admit(request: Request): Promise<Admitted> {
    const route = findRoute(request.method, request.path);
    if (isChange(route.method)) this.parts.ownSite.checkChange(request);
    await this.limitRate(route, request.ip ?? '');
    if (route.scope === 'public') return { route, token: null };
    const principal = await this.principal(route, request);
    const shown = { ...principal, locale: shownLocale(request) ?? principal.locale };
    return { route, token: await this.parts.principals.token(shown, route.service) };
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
  if (!parsed.success)
    throw new Problem('platform.invalid-request', {
      errors: [{ path: `header.${organisationHeader}`, message: 'not an organisation id' }],
    });
  return parsed.data;
}

/** The language of the page that asks, which names it alone; a browser's own list is no such name. */
const shownLocale = (request: Request): Locale | undefined =>
  locales.find((locale) => locale === request.headers['accept-language']);
