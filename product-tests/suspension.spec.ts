import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { ServerResponse } from 'node:http';
import {
  newPerson,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

let running: TestParley;
let admin: ParleyClient;
let owner: ParleyClient;
let mock: MockProvider;
/** Answers that are being written: nothing ends them but Parley. */
const open: ServerResponse[] = [];

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream').write(token('Half'));
    open.push(response);
  });
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  admin = await newPerson(running.url, { organisation: 'Operators', setupToken });
  owner = await newPerson(running.url, { organisation: 'Fennick Clinics' });
  await owner.call('POST /api/chat/providers', {
    body: { id: newId('provider'), name: 'M', baseUrl: mock.url, models: ['m'], defaultModel: 'm', isDefault: true },
  });
}, 90_000);
afterAll(async () => {
  for (const response of open) response.end();
  await running.close();
  mock.close();
});

const place = () => ({ params: { orgId: owner.orgId! } });
async function change(status: { status: 'active' } | { status: 'suspended'; reason: string }): Promise<void> {
  const { version } = await admin.call('GET /api/org/all-organisations/:orgId', place());
  await admin.call('PUT /api/org/all-organisations/:orgId/status', { ...place(), body: { version, ...status } });
}
/** Until requests of the organisation are refused; the last refusal. */
async function refusal(): Promise<{ code: string; detail?: string }> {
  for (;;) {
    const response = await owner.raw('GET', '/api/chat/conversations');
    const problem = (await response.json()) as { code: string; detail?: string };
    if (response.status === 403) return problem;
  }
}

test('a suspended organisation ends requests, sockets and running answers, and nothing is lost', async () => {
  const conversationId = newId('conversation');
  await owner.send(conversationId, 'Count');
  const socket = owner.socket();
  socket.io.reconnection(false);
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
  });
  await eventually(() => expect(open).toHaveLength(1), 'the answer should be written');
  const told: unknown[] = [];
  socket.on('session.ended', ({ reason }) => told.push(reason));
  const cut = new Promise((resolve) => {
    socket.on('disconnect', resolve);
  });
  const ended = new Promise<void>((resolve) => {
    open[0]!.on('close', resolve);
  });

  await change({ status: 'suspended', reason: 'Unpaid since May' });
  const problem = await refusal();
  expect(problem.code).toBe('org.organisation-suspended');
  expect(problem.detail).toMatch(/Unpaid since May/);
  await cut;
  expect(told).toEqual(['access-lost']);
  await ended;

  // Everything else of the person goes on.
  const { items } = await owner.call('GET /api/org/organisations');
  expect(items).toMatchObject([{ suspension: { reason: 'Unpaid since May', by: admin.me?.name } }]);
  const me = await owner.call('GET /api/auth/me');
  await owner.call('PATCH /api/auth/me', { body: { version: me.version, name: 'Still here' } });
  const elsewhere = owner.copy();
  await elsewhere.createOrganisation('Another one');
  await elsewhere.call('GET /api/chat/conversations');

  await change({ status: 'active' });
  await eventually(async () => {
    const answer = (await owner.messages(conversationId)).items[1];
    expect(answer).toMatchObject({ text: 'Half', generation: { status: 'stopped' } });
  }, 'the answer should have kept its text');
}, 120_000);

test('the list of platform admins shows it soon, and nobody else sees any', async () => {
  await change({ status: 'suspended', reason: 'Again' });
  await eventually(async () => {
    const { items } = await admin.call('GET /api/monitoring/all-organisations', { query: { text: 'fenn' } });
    expect(items).toMatchObject([{ id: owner.orgId, status: 'suspended', memberCount: 1 }]);
  }, 'the list should show it');
  await change({ status: 'active' });
  for (const route of ['GET /api/monitoring/all-organisations', 'GET /api/org/all-organisations/:orgId'] as const)
    await expect(owner.call(route, place() as never)).rejects.toMatchObject({ status: 403 });
});
