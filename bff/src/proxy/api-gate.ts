import { confirmedUntil, isOpenToKeys, locales, type Locale, type PersonPrincipal } from '@parley/contracts';
import {
  organisationHeader,
  orgId as orgIdSchema,
  Problem,
  type OrgId,
  type RouteContract,
  type UserId,
} from '@parley/protocol';
import type { Request } from 'express';
import type { BffSettings } from '../bff-settings.ts';
import { readSessionId } from '../session/cookie.ts';
import type { KeyPrincipals } from '../session/key-principals.ts';
import type { OwnSite } from '../session/own-site.ts';
import { visitorOf } from '../session/network.ts';
import type { Principals } from '../session/principals.ts';
import type { Presence } from '../realtime/presence.ts';
import type { Allowance, Caller, RateLimits } from './rate-limits.ts';
import { findRoute } from './route-table.ts';

export type Admitted = {
  readonly route: RouteContract;
  /** Null for a visitor. */
  readonly principal: PersonPrincipal | null;
  readonly token: string | null;
  /** Signs a new token where the first one came too late; null for a visitor. */
  readonly newToken: (() => Promise<string>) | null;
  /** Who is counted; null for a visitor. */
  readonly caller: Caller | null;
  /** What is left of the person's rate; null where nothing is counted. */
  readonly allowance: Allowance | null;
};
type Counted = { readonly principal: PersonPrincipal; readonly allowance: Allowance | null };
type GateParts = {
  readonly settings: BffSettings;
  readonly ownSite: OwnSite;
  readonly principals: Principals;
  readonly keys: KeyPrincipals;
  readonly presence: Pick<Presence, 'act'>;
  readonly rates: RateLimits;
};

const isChange = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/**
 * Everything that must hold before a request leaves for a service: known route, own site, session or API key,
 * organisation, rate. Where a request brings a key, the key alone counts: no cookie is looked at.
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
    // A program's client sends its key with everything, also for the documents of /v1, which need none.
    if (route.scope === 'public' && (key === null || route.path.startsWith('/v1/'))) {
      await this.parts.rates.visitor(route.cost, visitorOf(request.ip ?? ''));
      return { route, principal: null, token: null, newToken: null, caller: null, allowance: null };
    }
    const { principal, allowance } =
      key === null ? await this.bySession(route, request) : await this.byKey(key, route, request);
    if (isChange(route.method) && principal.organisation)
      this.parts.presence.act(principal.organisation.orgId, principal.userId);
    const shown = { ...principal, locale: shownLocale(request) ?? principal.locale };
    const orgId = principal.organisation?.orgId ?? null;
    const caller = { userId: principal.userId, orgId, ...(key !== null && { key: principal.sessionKey }) };
    const counting = route.cost === undefined ? null : this.parts.rates.organisation(route.cost, orgId);
    const [token] = await Promise.all([this.parts.principals.token(shown, route.service), counting]);
    const newToken = () => this.parts.principals.newToken(shown, route.service);
    return { route, principal, token, newToken, caller, allowance };
  }

  /** Counts for its person before org is asked. An unknown cookie that turns out to be no session counts for its address. */
  private async bySession(route: RouteContract, request: Request): Promise<Counted> {
    const { settings, principals, rates } = this.parts;
    const sessionId = readSessionId(request.headers.cookie, settings.isInsecureHttp);
    const visitor = visitorOf(request.ip ?? '');
    const isUnknown = sessionId !== null && !principals.hasWorked(sessionId);
    if (isUnknown) await rates.checkVisitor('read', visitor);
    const { isSensitive = false } = route;
    const session = await principals.session(sessionId, { isSensitive }).catch(async (error: unknown) => {
      if (isUnknown && error instanceof Problem && error.code === 'platform.unauthenticated')
        await rates.visitor('read', visitor);
      throw error;
    });
    if (isSensitive && !confirmedUntil(session.confirmedAt, new Date())) throw new Problem('auth.sign-in-again');
    const named = organisationNamed(route, request);
    const isOutside = route.scope !== 'organisation';
    if (!isOutside && named === null && isChange(route.method)) throw new Problem('platform.organisation-missing');
    const orgId = isOutside ? null : (named ?? session.me.defaultOrgId);
    if (!isOutside && orgId === null) throw new Problem('platform.organisation-missing');
    const allowance = await this.count(route, session.me.id);
    return { principal: await principals.principal(session, orgId), allowance };
  }

  private async byKey(key: string, route: RouteContract, request: Request): Promise<Counted> {
    const holder = await this.parts.keys.holder(key, request.ip ?? '');
    const allowance = await this.count(route, holder.userId);
    const principal = await this.parts.keys.principalOf(holder);
    if (!isOpenToKeys(route))
      throw new Problem('bff.not-by-key', { detail: 'Only a person who is signed in can do this, in the browser.' });
    const named = organisationNamed(route, request);
    if (named !== null && named !== principal.organisation.orgId)
      throw notThisOrganisation('the API key is of another organisation; leave the header out');
    return { principal, allowance };
  }

  private async count({ cost }: RouteContract, userId: UserId): Promise<Allowance | null> {
    return cost === undefined ? null : this.parts.rates.person(cost, userId);
  }
}

/** By the header, or by the query of a link. */
function organisationNamed({ isLink }: RouteContract, request: Request): OrgId | null {
  const named = request.header(organisationHeader) ?? (isLink ? request.query['org'] : undefined);
  if (named === undefined) return null;
  const parsed = orgIdSchema.safeParse(named);
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
