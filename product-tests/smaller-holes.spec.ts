import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { connect } from 'node:net';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';

/** What an attack found beside the large holes. */
let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy' });
}, 90_000);
afterAll(() => running.close());

/** The status line of what this request line and these headers get. */
function raw(...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(running.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    socket.once('error', reject);
    socket.once('close', () => resolve(text.split('\r\n')[0] ?? ''));
  });
}

test('people of a deleted group stop reading its connections', async () => {
  const [groupId, connectionId] = [newId('group'), newId('connection')];
  await owner.call('POST /api/org/groups', { body: { id: groupId, name: 'Board' } });
  const member = await newPerson(running.url);
  await plantMember(running.parley, member, owner, 'member');
  const { items } = await owner.call('GET /api/org/members');
  const { version } = items.find(({ userId }) => userId === member.me!.id)!;
  await owner.call('PUT /api/org/members/:userId/groups', {
    params: { userId: member.me!.id },
    body: { version, groupIds: [groupId] },
  });
  await owner.call('POST /api/chat/connections', {
    body: {
      id: connectionId,
      name: 'Board papers',
      source: { kind: 'upload' },
      audience: { kind: 'some', roles: [], groupIds: [groupId], userIds: [] },
      schedule: 'manual',
    },
  });
  const seen = async () => (await member.call('GET /api/chat/connections')).items.map(({ id }) => id);
  await eventually(async () => expect(await seen()).toContain(connectionId), 'the member should see it');
  await owner.call('DELETE /api/org/groups/:groupId', { params: { groupId } });
  await eventually(async () => expect(await seen()).not.toContain(connectionId), 'the member should see it no more');
});

test('a path that leads out of the assets is not found', async () => {
  expect(await raw('GET /assets/..%2fpackage.json HTTP/1.1', 'Host: localhost')).toBe('HTTP/1.1 404 Not Found');
  expect(await raw('GET /assets/.. HTTP/1.1', 'Host: localhost')).toMatch(/^HTTP\/1\.1 (404|302)/);
});

test('a request that names two hosts is refused', async () => {
  expect(await raw('GET /en HTTP/1.1', 'Host: localhost')).toBe('HTTP/1.1 200 OK');
  expect(await raw('GET /en HTTP/1.1', 'Host: localhost', 'Host: evil.example')).not.toBe('HTTP/1.1 200 OK');
});

test.each(['/v1/openapi.json', '/v1/asyncapi.json'])('%s is for everybody, with a key and without', async (path) => {
  for (const authorization of [undefined, 'Bearer parley_nobody'])
    expect((await fetch(`${running.url}${path}`, { headers: authorization ? { authorization } : {} })).status).toBe(
      200,
    );
});
