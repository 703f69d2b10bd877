import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { costClasses, routeEntries } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { ParleyClient } from '@parley/testing/client';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPages, securityHeaders } from '@parley/bff';
import { createLogger, logFile } from '@parley/platform/logging';
import type { Platform } from '@parley/platform/service';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { newPerson, password, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
beforeAll(async () => {
  running = await startTestParley({ PARLEY_TRUSTED_PROXY: '127.0.0.1', PARLEY_REGISTRATION: 'invitation' });
}, 90_000);
afterAll(() => running.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(running.url + path, { redirect: 'manual', headers });

describe('pages', () => {
  test.each([
    ['/', {}, '/en'],
    ['/', { 'accept-language': 'ar-EG,ar;q=0.9,en;q=0.5' }, '/ar'],
    ['/', { 'accept-language': 'xx"><script>' }, '/en'],
    ['/', { 'accept-language': 'ar', cookie: 'parley-locale=en' }, '/en'],
    ['/chat/cnv_1?org=acme', { cookie: 'parley-locale=ar' }, '/ar/chat/cnv_1?org=acme'],
    ['/xx/chat', {}, '/en/xx/chat'],
    ['//evil.example/x', {}, '/en/evil.example/x'],
  ])('%s with %j leads to %s', async (path, headers, target) => {
    const response = await get(path, headers as Record<string, string>);
    expect([response.status, response.headers.get('location')]).toEqual([302, target]);
  });

  test.each([
    ['/en', 200, 'en', 'ltr'],
    ['/ar/chat', 200, 'ar', 'rtl'],
    ['/en/settings/orgs', 200, 'en', 'ltr'],
    ['/en/no-such-page', 404, 'en', 'ltr'],
    ['/ar/settings/elsewhere', 404, 'ar', 'rtl'],
  ])('%s answers %i in %s', async (path, status, locale, direction) => {
    const response = await get(path);
    const page = await response.text();
    expect(response.status).toBe(status);
    expect(page).toContain(`lang="${locale}"`);
    expect(page).toContain(`dir="${direction}"`);
    expect(page).not.toMatch(/__(CSP_NONCE|LOCALE|DIR)__/);
  });

  test('each response has a nonce of its own, and the policy allows nothing inline', async () => {
    const policies = await Promise.all(
      [get('/en'), get('/en')].map(async (sent) => (await sent).headers.get('content-security-policy') ?? ''),
    );
    const nonces = policies.map((policy) => /'nonce-([\w-]{20,})'/.exec(policy)?.[1]);
    expect(new Set(nonces).size).toBe(2);
    for (const policy of policies) expect(policy).not.toMatch(/unsafe|\*/);
    expect(policies[0]).toMatch(/worker-src 'self';object-src 'none';base-uri 'none'.*frame-ancestors 'none'/);
    const response = await get('/en');
    expect(
      ['x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy', 'x-powered-by'].map((name) =>
        response.headers.get(name),
      ),
    ).toEqual(['nosniff', 'no-referrer', 'same-origin', null]);
  });

  test('what takes PDF apart has a policy of its own that lets it reach nothing', async () => {
    const assets = readdirSync(join(import.meta.dirname, '../frontend/dist/assets'));
    const worker = assets.find((name) => /^pdf\.worker.*\.mjs$/.test(name));
    const { headers } = await get(`/assets/${worker}`);
    expect(
      ['content-type', 'content-security-policy', 'x-content-type-options'].map((name) => headers.get(name)),
    ).toEqual([expect.stringMatching(/javascript/), "default-src 'none'; script-src 'wasm-unsafe-eval'", 'nosniff']);
  });

  test('a page knows who comes without a session, and asks nobody then; its frame has the shape of its area', async () => {
    const visitor = await (await get('/en/chat')).text();
    const signedIn = await (await get('/en', { cookie: `__Host-parley-session=${'s'.repeat(43)}` })).text();
    expect([visitor.includes('data-visitor="yes"'), visitor.includes('data-area="chat"')]).toEqual([true, true]);
    expect([signedIn.includes('data-visitor="no"'), signedIn.includes('data-area="visitor"')]).toEqual([true, true]);
  });

  test('a host name that is not ours is refused', async () => {
    const url = new URL(running.url);
    const status = await new Promise((resolve) => {
      request({ host: '127.0.0.1', port: url.port, path: '/en', headers: { host: 'evil.example' } }, (response) =>
        resolve(response.statusCode),
      ).end();
    });
    expect(status).toBe(421);
  });

  test('a page that cannot be served says so with a digest that is in the log and in the report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-pages-'));
    const log = join(folder, 'log');
    const reported: unknown[] = [];
    const app = express();
    app.use(...securityHeaders(false));
    app.use(
      createPages({ frontendFolder: join(folder, 'no-frontend'), isInsecureHttp: true }, {
        logger: createLogger({ name: 'test', destination: logFile(log) }),
        reporter: { report: (_error, context) => void reported.push(context), close: async () => {} },
      } as Partial<Platform> as Platform),
    );
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/en/chat`);
    const page = await response.text();
    expect(response.status).toBe(500);
    expect(page).toContain(
      `Application error: a server-side exception has occurred while loading 127.0.0.1:${port} (see the server logs for more information).`,
    );
    const digest = /Digest: ([0-9a-f]{10})/.exec(page)?.[1];
    expect(readFileSync(log, 'utf8')).toContain(`"digest":"${digest}"`);
    expect(reported).toEqual([{ deployable: 'bff', during: 'page', digest }]);
    server.close();
    rmSync(folder, { recursive: true });
  });
});

describe('registering', () => {
  test('without an invitation names whom to ask, the setup link works once, and later ones are refused', async () => {
    const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
    const client = new ParleyClient(running.url);
    expect(await client.call('GET /api/auth/registration')).toEqual({
      mode: 'invitation',
      setupPending: true,
      contacts: [],
    });
    await expect(newPerson(running.url)).rejects.toMatchObject({ problem: { code: 'auth.invitation-required' } });
    await expect(newPerson(running.url, { setupToken: 'guessed' })).rejects.toMatchObject({
      problem: { code: 'auth.setup-token-invalid' },
    });
    const racers = await Promise.allSettled([
      newPerson(running.url, { setupToken }),
      newPerson(running.url, { setupToken }),
    ]);
    expect(racers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const info = await client.call('GET /api/auth/registration');
    expect(info.contacts).toHaveLength(1);
    await expect(newPerson(running.url, { setupToken })).rejects.toMatchObject({
      problem: { code: 'auth.setup-token-invalid' },
    });
  });

  test.each([
    ['password1234password', 'auth.password-too-common'],
    ['short', 'platform.invalid-request'],
  ])(
    'a password like %s is refused before anything is made',
    async (bad, code) => {
      const open = await startTestParley();
      const client = new ParleyClient(open.url);
      const person = {
        name: 'P',
        email: 'p@example.com',
        password: bad === 'password1234password' ? 'passwordpassword' : bad,
      };
      await expect(client.register(person)).rejects.toMatchObject({ problem: { code } });
      await client.register({ ...person, password });
      await expect(new ParleyClient(open.url).register({ ...person, password })).rejects.toMatchObject({
        problem: { code: 'auth.email-taken' },
      });
      await open.close();
    },
    90_000,
  );
});

describe('the session cookie and the limits', () => {
  test('the cookie is bound to this host, out of reach of scripts, and the session id is nowhere else', async () => {
    const open = await startTestParley();
    const response = await fetch(`${open.url}/api/auth/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'parley-csrf': '1' },
      body: JSON.stringify({ id: newId('user'), email: 'c@example.com', name: 'C', password, locale: 'en' }),
    });
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-parley-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/);
    expect(response.headers.get('parley-session')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).not.toContain(cookie.slice(23, 66));
    await open.close();
  });

  test('ten wrong passwords per account are answered with 429, from wherever they come; unknown addresses look the same', async () => {
    const open = await startTestParley({ PARLEY_TRUSTED_PROXY: '127.0.0.1' });
    const person = await newPerson(open.url);
    const attempt = async (email: string, from: number) => {
      const client = new ParleyClient(open.url);
      client.address = `203.0.113.${from}`;
      return client
        .signIn(email, 'not the password')
        .catch((error: { status: number; problem: { code: string } }) => [error.status, error.problem.code]);
    };
    for (let at = 0; at < 10; at += 1)
      expect(await attempt(person.me?.email ?? '', at)).toEqual([401, 'auth.invalid-credentials']);
    expect(await attempt(person.me?.email ?? '', 99)).toEqual([429, 'platform.rate-limited']);
    expect(await attempt('nobody@example.com', 98)).toEqual([401, 'auth.invalid-credentials']);
    await open.close();
  }, 90_000);

  test('tries of links from one address are limited per minute, with Retry-After', async () => {
    const open = await startTestParley({ PARLEY_TRUSTED_PROXY: '127.0.0.1' });
    const client = new ParleyClient(open.url);
    client.address = '203.0.113.200';
    const statuses: number[] = [];
    let last: Response | null = null;
    for (let at = 0; at <= 2 * costClasses.secret.address; at += 1) {
      last = await client.raw('POST', '/api/auth/password-resets/check', {
        contentType: 'application/json',
        body: JSON.stringify({ token: `${at}`.padStart(43, 'w') }),
      });
      statuses.push(last.status);
      await last.text();
    }
    expect(statuses).toContain(410);
    expect(statuses.at(-1)).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    await open.close();
  }, 90_000);
});

describe('the services behind the door', () => {
  let open: TestParley;
  let owner: ParleyClient;
  beforeAll(async () => {
    open = await startTestParley();
    owner = await newPerson(open.url, { organisation: 'Lindmoor Energy' });
  }, 90_000);
  afterAll(() => open.close());

  test.each(routeEntries)('%s without a token: 401', async (_name, route) => {
    // What the BFF answers no service knows.
    if (route.scope === 'public' || route.answeredBy === 'bff') return;
    const path = route.path.replaceAll(/:[A-Za-z]+/g, newId('message'));
    const response = await fetch(open.parley.internals.services[route.service] + path, {
      method: route.method,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(401);
    await response.text();
  });

  test('internal routes are not forwarded', async () => {
    const internal = routeEntries.filter(([, { scope }]) => scope === 'internal');
    expect(internal.length).toBeGreaterThan(10);
    for (const [, route] of internal) {
      const response = await owner.raw(route.method, route.path.replaceAll(/:[A-Za-z]+/g, 'x'));
      // A GET is a page that does not exist: it is sent to its localised 404.
      expect([302, 405]).toContain(response.status);
      await response.text();
    }
  });

  test('identity headers from outside change nothing', async () => {
    const response = await fetch(`${open.url}/api/auth/me`, {
      headers: { 'parley-principal': 'x', 'x-user-id': owner.me?.id ?? '', authorization: 'Bearer x' },
    });
    expect(response.status).toBe(401);
  });
});

describe('what a caller made up', () => {
  test.each(['/%ff', '/en/%E0%A4%A', '/assets/%', '/en/chat/%c3%28?x=%zz'])('%s is answered with 400', async (path) => {
    const response = await get(path);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      'platform.invalid-request',
    ]);
  });

  test('comes back as 200 characters at most, its keys not at all', async () => {
    const keys = Object.fromEntries(Array.from({ length: 500 }, (_each, index) => [`made-up-${index}`, 1]));
    const response = await fetch(`${running.url}/api/auth/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'parley-csrf': '1' },
      body: JSON.stringify({ email: 'a@example.com', password: 'x', ...keys }),
    });
    const text = await response.text();
    expect([response.status, text.includes('made-up'), text.length < 1_000]).toEqual([400, false, true]);
    const long = await get(`/api/${'x'.repeat(4_000)}`);
    expect([long.status, (await long.text()).length < 600]).toEqual([404, true]);
  });
});
