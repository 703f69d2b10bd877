import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ActiveUser } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient, type LiveSocket } from '@parley/testing/client';
import { newPerson, password, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
let noor: ParleyClient;
const open: LiveSocket[] = [];
beforeAll(async () => {
  running = await startTestParley();
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy' });
  noor = await newPerson(running.url, { organisation: 'Second home' });
  await plantMember(running.parley, noor, owner, 'member');
}, 90_000);
afterAll(async () => {
  for (const socket of open) socket.disconnect();
  await running.close();
});

/** A tab, and what it hears. */
async function tabOf(client: ParleyClient) {
  const socket = client.socket();
  const heard: unknown[] = [];
  socket.on('resource.changed', (about) => heard.push(about));
  socket.on('session.ended', (about) => heard.push(about));
  open.push(socket);
  await new Promise((resolve) => void socket.once('connect', () => resolve(null)));
  return { socket, heard };
}
const shown = async (): Promise<ActiveUser> => {
  const { items } = await owner.call('GET /api/monitoring/active-users');
  return items.find(({ userId }) => userId === noor.me?.id)!;
};
const endAccess = () =>
  owner.call('POST /api/org/access-ends', {
    body: {
      id: newId('accessEnd'),
      people: [{ userId: noor.me!.id, version: 1 }],
      reason: 'Lost laptop',
      isPreview: false,
    },
  });
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    ({ problem }: { problem: { code: string; detail?: string } }) => [problem.code, problem.detail],
  );

describe('who is active', () => {
  test('is seen as soon as a tab opens, and whoever watches hears of it; as soon as the last one closes it is over', async () => {
    const watching = await tabOf(owner);
    expect(await shown()).toMatchObject({ presence: 'away', devices: [], actedAt: null });
    watching.heard.length = 0;
    const { socket } = await tabOf(noor);
    const told = { orgId: owner.orgId, resources: ['active-users'] };
    await eventually(async () => expect(watching.heard).toContainEqual(told), 'who watches should hear of it');
    await eventually(async () => {
      expect(await shown()).toMatchObject({ presence: 'online', devices: [{}], actedAt: expect.any(String) });
    }, 'the person should be online');
    socket.disconnect();
    await eventually(async () => expect((await shown()).presence).toBe('away'), 'the person should be away');
    expect((await shown()).actedAt).not.toBeNull();
  });

  test('is nobody’s business without the right to it', async () => {
    const guest = await tabOf(noor);
    expect(await refusalOf(noor.call('GET /api/monitoring/active-users'))).toEqual([
      'platform.forbidden',
      expect.any(String),
    ]);
    const socket = owner.socket();
    open.push(socket);
    await eventually(async () => expect((await shown()).presence).toBe('online'), 'the person should be here');
    expect(guest.heard).toEqual([]);
    guest.socket.disconnect();
  });
});

test.each([
  ['101 people', { people: Array.from({ length: 101 }, () => ({ userId: newId('user'), version: 1 })) }],
  ['nobody', { people: [] }],
  ['no reason', { reason: undefined }],
  ['no person', { people: [{ userId: 'somebody', version: 1 }] }],
])('a change of many with %s is refused', async (_what, over) => {
  const body = { people: [{ userId: noor.me!.id, version: 1 }], reason: 'Why', isPreview: false, ...over };
  const refused = owner.call('PUT /api/org/member-roles', { body: { ...body, role: 'guest' } as never });
  expect(await refusalOf(refused)).toEqual(['platform.invalid-request', undefined]);
});

test('strangers and unknown ids are no members, each by itself', async () => {
  const stranger = await newPerson(running.url, { organisation: 'Fennick Clinics' });
  const people = [stranger.me!.id, newId('user'), owner.me!.id].map((userId) => ({ userId, version: 1 }));
  const body = { people, reason: 'Why', isPreview: false, status: 'suspended' as const };
  const { results } = await owner.call('PUT /api/org/member-statuses', { body });
  expect(results.map(({ code }) => code)).toEqual(['org.member-not-found', 'org.member-not-found', 'org.not-oneself']);
  expect(await refusalOf(stranger.call('GET /api/chat/conversations'))).toBeNull();
});

test('access that is ended closes this organisation to the sessions of until then, with the reason, and no other one', async () => {
  const tab = await tabOf(noor);
  expect(await refusalOf(noor.call('GET /api/chat/conversations'))).toBeNull();
  expect((await endAccess()).results).toEqual([{ userId: noor.me?.id, code: null }]);
  await eventually(
    async () => expect(tab.heard).toContainEqual({ reason: 'access-lost' }),
    'the tab should be told that it is over',
  );
  const closed = ['org.access-ended', 'Lost laptop'];
  expect(await refusalOf(noor.call('GET /api/chat/conversations'))).toEqual(closed);
  const { items } = await noor.call('GET /api/org/organisations');
  const elsewhere = items.find(({ id }) => id !== owner.orgId)!.id;
  expect(await refusalOf(noor.call('GET /api/chat/conversations', { orgId: elsewhere }))).toBeNull();
  expect(await refusalOf(noor.call('GET /api/chat/conversations'))).toEqual(closed);
  const again = new ParleyClient(running.url);
  await again.signIn(noor.me!.email, password);
  expect(await refusalOf(again.call('GET /api/chat/conversations', { orgId: owner.orgId! }))).toBeNull();
});
