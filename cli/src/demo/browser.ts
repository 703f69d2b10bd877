import type { ApiRoute, ContractOf, Locale, Me } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import {
  csrfHeader,
  organisationHeader,
  type CallOf,
  type OrgId,
  type ProblemDetails,
  type ResponseOf,
} from '@parley/protocol';
import { setTimeout as wait } from 'node:timers/promises';

type Call<Route extends ApiRoute> = CallOf<ContractOf<Route>>;
type Answer<Route extends ApiRoute> = ResponseOf<ContractOf<Route>>;
type Arguments<Route extends ApiRoute> = object extends Call<Route> ? [call?: Call<Route>] : [call: Call<Route>];
type AnyCall = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};
type Content = { readonly body?: string; readonly headers?: Readonly<Record<string, string>> };
export type Account = { readonly name: string; readonly email: string; readonly password: string };

const refusedForNow = ['platform.rights-changed', 'platform.unavailable', 'bff.upstream-timeout'];
const againAfterMs = 20;
/** The demo signs a person in again only after this time. */
const staysSignedInMs = 8 * 3_600_000;

/** One person of the demo, who uses Parley by its front door as a browser does. */
export class Browser {
  orgId: OrgId | null = null;
  private cookie = '';
  private signedInAt = 0;

  constructor(
    private readonly url: string,
    readonly account: Account,
  ) {}

  /** `call('GET /api/chat/documents', { query })`, typed by the contract of the route. */
  call<Route extends ApiRoute>(route: Route, ...[call]: Arguments<Route>): Promise<Answer<Route>> {
    const { body } = (call ?? {}) as AnyCall;
    return this.send(route, (call ?? {}) as AnyCall, {
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  }

  /** Sends a file as it is. */
  upload<Route extends ApiRoute>(
    route: Route,
    query: Readonly<Record<string, string | undefined>>,
    content: string,
  ): Promise<Answer<Route>> {
    return this.send(route, { query }, { body: content, headers: { 'content-type': 'application/octet-stream' } });
  }

  async register(more: { locale: Locale; setupToken?: string; invitation?: string }): Promise<Me> {
    const me = await this.call('POST /api/auth/users', { body: { id: newId('user'), ...this.account, ...more } });
    this.signedInAt = Date.now();
    return me;
  }

  /** Signs in unless they did today. */
  async wake(): Promise<void> {
    if (Date.now() - this.signedInAt < staysSignedInMs) return;
    const { email, password } = this.account;
    await this.call('POST /api/auth/sessions', { body: { email, password } });
    this.signedInAt = Date.now();
  }

  private async send<Value>(route: ApiRoute, call: AnyCall, content: Content): Promise<Value> {
    const [method = '', template = ''] = route.split(' ');
    const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(call.params?.[name] ?? ''));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) if (value !== undefined) query.set(name, value);
    const response = await fetch(`${this.url}${path}?${query.toString()}`, {
      method,
      ...content,
      headers: {
        ...content.headers,
        ...(this.cookie !== '' && { cookie: this.cookie }),
        ...(method !== 'GET' && { [csrfHeader]: '1' }),
        ...(this.orgId && { [organisationHeader]: this.orgId }),
      },
    });
    this.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie;
    const text = await response.text();
    if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Value;
    const problem = JSON.parse(text) as ProblemDetails;
    // Rights have just changed, or the clock has, or the machine is busy: doing it again changes nothing.
    if (refusedForNow.includes(problem.code)) {
      await wait(againAfterMs);
      return this.send(route, call, content);
    }
    throw new Error(
      `${route}: ${problem.code}: ${problem.detail ?? problem.title} ${JSON.stringify(problem.errors ?? '')}`,
    );
  }
}
