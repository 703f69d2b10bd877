import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cursorOf, type Permission } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { messagesOf, type ParleyClient, type StreamMessage } from '@parley/testing/client';
import { connect } from 'node:net';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import type { ProblemDetails } from '@parley/protocol';

let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
}, 90_000);
afterAll(() => running.close());

async function aKey(permissions: Permission[] = ['events:read']) {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { id: newId('apiKey'), name: 'Board', permissions, endsAt };
  const { key, secret } = await owner.call('POST /api/auth/my-api-keys', { body });
  return { id: key.id, secret: secret! };
}
const newGroup = async () => {
  const id = newId('group');
  await owner.call('POST /api/org/groups', { body: { id, name: `Shift ${id.slice(-6)}` } });
  return id;
};
type Extra = { readonly headers?: Record<string, string>; readonly signal?: AbortSignal };
const ask = (secret: string, query = '', { headers, ...extra }: Extra = {}) =>
  fetch(`${running.url}/v1/events${query}`, { headers: { authorization: `Bearer ${secret}`, ...headers }, ...extra });

/** Reads on until the stream ends; `told` grows meanwhile. */
async function follow(secret: string, query = '', headers: Record<string, string> = {}) {
  const left = new AbortController();
  const response = await ask(secret, query, { headers, signal: left.signal });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const told: StreamMessage[] = [];
  const ended = (async () => {
    for await (const message of messagesOf(response)) told.push(message);
  })().catch(() => undefined);
  const end = async () => {
    left.abort();
    await ended;
  };
  return { told, ended, groups: () => told.filter(({ event }) => event === 'group.changed.v1').map(groupOf), end };
}
const groupOf = ({ data }: StreamMessage) => (JSON.parse(data) as { data: { groupId: string } }).data.groupId;
const soon = (list: () => unknown, expected: unknown) =>
  eventually(() => expect(list()).toEqual(expected), 'it should have been told');

test('a program follows by its key, comes back where it was, and takes what it asks for', async () => {
  const { secret } = await aKey();
  const first = await follow(secret);
  const one = await newGroup();
  await soon(first.groups, [one]);
  const { id: cursor } = first.told.at(-1)!;
  await first.end();
  const two = await newGroup();
  const again = await follow(secret, '?cursor=0', { 'last-event-id': cursor });
  await soon(again.groups, [two]);
  const filtered = await follow(secret, '?cursor=0&type=role.*,group.changed.v1&type=org.*');
  await soon(filtered.groups, [one, two]);
  expect(new Set(filtered.told.map(({ event }) => event))).toEqual(new Set(['', 'group.changed.v1']));
  await Promise.all([again.end(), filtered.end()]);
});

test('what is no place of this stream, no type, or not allowed is refused before anything is told', async () => {
  const [{ secret }, other] = [await aKey(), await aKey(['chat:read'])];
  const refusal = async (answer: Promise<Response>) => {
    const response = await answer;
    const { code } = (await response.json()) as ProblemDetails;
    return [response.status, code];
  };
  const foreign = cursorOf(newId('organisation'), 1);
  expect(await refusal(ask(secret, `?cursor=${foreign}`))).toEqual([400, 'platform.invalid-request']);
  expect(await refusal(ask(secret, '', { headers: { 'last-event-id': foreign } }))).toEqual([
    400,
    'platform.invalid-request',
  ]);
  expect(await refusal(ask(secret, '?type=session.*'))).toEqual([400, 'platform.invalid-request']);
  expect(await refusal(ask(other.secret))).toEqual([403, 'platform.forbidden']);
});

test('a revoked key ends its stream, and only its own', async () => {
  const [mine, other] = [await aKey(), await aKey()];
  const [cut, kept] = [await follow(mine.secret), await follow(other.secret)];
  await owner.call('DELETE /api/auth/my-api-keys/:apiKeyId', { params: { apiKeyId: mine.id } });
  await cut.ended;
  expect((await ask(mine.secret)).status).toBe(401);
  const group = await newGroup();
  await soon(kept.groups, [group]);
  await kept.end();
});

test('a reader that never reads holds nobody up, and gets all of it once it reads', async () => {
  const { secret } = await aKey();
  const { hostname, port } = new URL(running.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    `GET /v1/events?cursor=0 HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${secret}\r\n\r\n`,
  );
  const reader = await follow(secret);
  const groups = [await newGroup(), await newGroup()];
  await soon(reader.groups, groups);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.resume();
  await eventually(() => expect(groups.filter((id) => !text.includes(id))).toEqual([]), 'the late reader has it too');
  socket.destroy();
  await reader.end();
});

test('a closing Parley ends its streams, in whole messages', async () => {
  const last = await startTestParley();
  const setupToken = new URL(last.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  const person = await newPerson(last.url, { organisation: 'Fennick Clinics', setupToken });
  const response = await person.raw('GET', '/v1/events?cursor=0');
  const text = response.text();
  await last.close();
  expect(await text).toMatch(/\n\n$/);
});
