import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { ParleyClient } from '@parley/testing/client';
import { once } from 'node:events';
import { ownProcesses } from './own-process.spec-setup.ts';

const password = 'three quiet herons';
const [ines, noor] = ['ines@lindmoor.example', 'noor@lindmoor.example'] as const;
const { start } = ownProcesses();

/** Somebody accepts an invitation, the process dies at the failpoint, and a new one starts. */
async function killedAt(failpoint: string) {
  const { child, url, setupToken } = await start({ PARLEY_TEST_FAILPOINT: failpoint });
  const gone = once(child, 'exit');
  const owner = new ParleyClient(url);
  await owner.register({ name: 'Ines', email: ines, password, setupToken });
  const { id: orgId } = await owner.createOrganisation('Lindmoor Energy');
  const body = { id: newId('invitation'), label: 'All', role: 'member' as const, groupIds: [], domain: null };
  const { token } = await owner.call('POST /api/org/invitation-links', { body: { ...body, places: 1, days: 1 } });
  const guest = new ParleyClient(url);
  await guest.register({ name: 'Noor', email: noor, password, invitation: token });
  await expect(guest.call('POST /api/org/my-invitations/accept', { body: { token } })).rejects.toThrow();
  expect((await gone)[1]).toBe('SIGKILL');
  const again = await start({});
  const [admin, joining] = [new ParleyClient(again.url), new ParleyClient(again.url)];
  await admin.signIn(ines, password);
  await joining.signIn(noor, password);
  admin.orgId = orgId;
  return { admin, joining, token };
}
const standOf = async (admin: ParleyClient) => ({
  members: (await admin.call('GET /api/org/members')).items.map(({ name }) => name).toSorted(),
  seats: await admin.call('GET /api/org/seats'),
  open: (await admin.call('GET /api/org/invitations')).items.map(({ taken }) => taken),
  joined: (await admin.call('GET /api/org/audit', { query: { act: 'member.joined' } })).items.length,
});
const alone = { members: ['Ines'], seats: { used: 1, held: 0, limit: null }, open: [0], joined: 0 };
const both = { members: ['Ines', 'Noor'], seats: { used: 2, held: 0, limit: null }, open: [], joined: 1 };

test.each([
  ['the place was taken and nobody had entered: nothing of it is there', 'place-taken-not-entered', alone],
  ['all was stored and not answered: all of it is there', 'joined-not-answered', both],
])(
  'killed when %s; asked again, there is one member, one seat, and the link is used once',
  async (_when, failpoint, before) => {
    const { admin, joining, token } = await killedAt(failpoint);
    expect(await standOf(admin)).toEqual(before);
    for (const _time of ['again', 'and again'])
      expect(await joining.call('POST /api/org/my-invitations/accept', { body: { token } })).toMatchObject({
        name: 'Lindmoor Energy',
      });
    expect(await standOf(admin)).toEqual(both);
  },
  120_000,
);
