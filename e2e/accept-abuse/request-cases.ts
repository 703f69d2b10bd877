// Requests that no browser sends.
import { newId } from '@parley/platform/ids';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { many, password, tally, type Case, type World } from './world.ts';

const json = 'application/json';

/** Sends these bytes as they are; resolves with the status of the first answer, null without one. */
function sendBytes(world: World, bytes: string, withinMs = 10_000): Promise<number | null> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    let answer = '';
    const end = (): void => {
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      if (status !== undefined) world.watch.note(Number(status), bytes.slice(0, 100));
      resolve(status === undefined ? null : Number(status));
    };
    socket.setTimeout(withinMs, end);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (answer.includes('\r\n\r\n')) end();
    });
    socket.once('error', end);
    socket.once('close', end);
  });
}

const paths = [
  '/assets/..',
  '/assets/..%2fx',
  '/assets/..%2f..%2f..%2fetc%2fpasswd',
  '/assets/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..%5c..%5cx',
  '/assets/%00',
  '/%00',
  '/%E0%A4%A',
  '/assets/%',
  '//example.com/%2e%2e',
  '/api/%2e%2e/internal/auth/revocations',
  '/api/chat/../../internal/auth/revocations',
  '/internal/auth/revocations',
  '/api/chat/conversations/%2e%2e%2f%2e%2e',
  '/api/chat/conversations/%',
  '/api/chat/conversations?limit=1&limit=2&limit[]=3&__proto__[x]=1',
  '/api/auth/pictures/..%2f..',
  `/${'a'.repeat(12_000)}`,
  `/${'../'.repeat(500)}`,
];
const pathTricks: Case = {
  name: 'requests: path tricks, two Host headers, mixed lengths',
  async run(world) {
    const { host } = new URL(world.url);
    const get = (path: string, ...lines: string[]): string =>
      `${[`GET ${path} HTTP/1.1`, `Host: ${host}`, ...lines].join('\r\n')}\r\n\r\n`;
    const wrong: string[] = [];
    const expect = async (what: string, bytes: string, isFine: (status: number | null) => boolean): Promise<void> => {
      const status = await sendBytes(world, bytes);
      if (!isFine(status)) wrong.push(`${what.slice(0, 60)}: ${status}`);
    };
    for (const path of paths) await expect(path, get(path), (status) => status !== null && status < 500);
    // Pages of that name don't exist: it leads back to the start.
    await expect('internal route', get('/internal/auth/revocations'), (status) => status === 404 || status === 302);
    await expect('two Host headers', get('/', 'Host: example.com'), (status) => status === 400 || status === 421);
    const post = (...lines: string[]): string =>
      `${[`POST /api/auth/sessions HTTP/1.1`, `Host: ${host}`, `Content-Type: ${json}`, ...lines].join('\r\n')}\r\n\r\n0\r\n\r\n`;
    const isRefused = (status: number | null): boolean => status === null || (status >= 400 && status < 500);
    await expect('two lengths', post('Content-Length: 5', 'Transfer-Encoding: chunked'), isRefused);
    await expect('negative length', post('Content-Length: -1'), isRefused);
    await expect('large header', get('/', `X-Large: ${'a'.repeat(100_000)}`), isRefused);
    await expect('no version', 'GET /\r\n\r\n', isRefused);
    if (wrong.length > 0) throw new Error(wrong.join('; '));
    return `${paths.length + 6} requests, all answered with less than 500`;
  },
};

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const deepBodies: Case = {
  name: 'requests: 200 large bodies, deep and wide',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Deep' });
    const bodies = [
      nested(125_000),
      JSON.stringify(Array.from({ length: 40_000 }, (_unused, at) => at)),
      `{"lines":${JSON.stringify(Array.from({ length: 60_000 }, () => 'a'))}}`,
      `{"__proto__":${nested(1_000)},"name":"${'a'.repeat(250_000)}"}`,
      `{"a":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`,
      nested(450_000),
    ];
    const routes = [
      '/api/org/invitations/report',
      '/api/org/organisations',
      '/api/chat/search-tests',
      '/api/org/groups',
    ];
    const statuses: number[] = [];
    await many(200, 32, async (at) => {
      const body = bodies[at % bodies.length]!;
      statuses.push(await person.statusOf('POST', routes[at % routes.length]!, { body, contentType: json }));
    });
    // Whether others are refused meanwhile is for the watch to say.
    // 408: on a busy machine a body can take longer to come than the product waits.
    return tally(statuses, [400, 403, 408, 413, 422, 429, 503]);
  },
};

/** Many times as long as the product lets an upload of one byte a second go on. */
const slowForMs = 120_000;

/** Sends a byte a second after these headers; resolves with how long that went on, infinite where nobody ended it. */
async function trickle(world: World, headers: readonly string[]): Promise<number> {
  const { host, hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  let isOpen = true;
  socket.once('close', () => (isOpen = false));
  socket.on('error', () => undefined).resume();
  const lines = [headers[0], `Host: ${host}`, 'parley-csrf: 1', 'Content-Length: 5000000', ...headers.slice(1)];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const begunAt = performance.now();
  while (isOpen && performance.now() - begunAt < slowForMs) {
    await wait(1_000);
    if (isOpen) socket.write(' ');
  }
  socket.destroy();
  return isOpen ? Number.POSITIVE_INFINITY : performance.now() - begunAt;
}

const slowUploads: Case = {
  name: 'requests: 40 uploads of one byte a second, admitted and refused ones',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Slow' });
    const body = JSON.stringify({ email: person.me?.email, password });
    const session = await person.raw('POST', '/api/auth/sessions', { body, contentType: json });
    const signedIn = [`Cookie: ${session.headers.getSetCookie()[0]?.split(';')[0]}`, `parley-org: ${person.orgId}`];
    const lives = Array.from({ length: 40 }, (_unused, at) => {
      const upload = `POST /api/chat/documents?id=${newId('document')}&name=slow${at}.md HTTP/1.1`;
      return trickle(world, [upload, 'Content-Type: application/octet-stream', ...(at % 2 === 0 ? signedIn : [])]);
    });
    const longest = Math.max(...(await Promise.all(lives)));
    if (longest === Number.POSITIVE_INFINITY) throw new Error(`Some are open after ${slowForMs / 1_000} s.`);
    return `all were cut within ${(longest / 1_000).toFixed(0)} s`;
  },
};

const wrongPasswords: Case = {
  name: 'sign-in: 200 wrong passwords for somebody else, from five addresses',
  async run(world) {
    const email = world.insider.me!.email;
    const statuses: number[] = [];
    await many(200, 10, async (at) => {
      const body = JSON.stringify({ email, password: `wrong password ${at}` });
      const visitor = world.visitor(`198.51.${at % 5}`);
      statuses.push(await visitor.statusOf('POST', '/api/auth/sessions', { body, contentType: json }));
    });
    const person = world.visitor('198.51.77');
    await person.signIn(email, password);
    return `${tally(statuses, [401, 422, 429])}; the person signs in elsewhere`;
  },
};

export const requestCases: readonly Case[] = [pathTricks, deepBodies, wrongPasswords];
export const waitingRequestCases: readonly Case[] = [slowUploads];
