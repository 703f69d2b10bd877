import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
let admin: ParleyClient;
const members: ParleyClient[] = [];
beforeAll(async () => {
  running = await startTestParley();
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy' });
  admin = await newPerson(running.url);
  await plantMember(running.parley, admin, owner, 'admin');
  for (let index = 0; index < 4; index += 1) {
    const member = await newPerson(running.url);
    await plantMember(running.parley, member, owner, 'member');
    members.push(member);
  }
}, 90_000);
afterAll(() => running.close());

const ask = (client: ParleyClient) => client.send(newId('conversation'), 'When does carry over end?');
const listed = (client: ParleyClient, query: object = {}) =>
  client.call('GET /api/monitoring/people', { query: { sort: 'answers', ...query } });
const reveal = (client: ParleyClient, personId: string, more: object = {}) =>
  client.call('POST /api/monitoring/name-reveals', {
    body: { id: newId('nameReveal'), personId, reason: 'Spend doubled', hours: 24 as const, ...more },
  });
const mails = async (): Promise<string[]> => {
  const folder = join(running.folder, 'mail');
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.map((text) => text.replaceAll(/=\r?\n/g, ''));
};

test('of four people there are totals; five are pseudonyms; a name is asked for, told and hidden again', async () => {
  const [busy] = members;
  for (const member of members) await ask(member);
  await ask(busy!);
  await eventually(async () => {
    expect(await listed(admin)).toMatchObject({ items: [], total: { attempts: 5 }, months: [{ people: null }] });
  }, 'four people should be counted together');

  await ask(owner);
  const { items } = await eventually(async () => {
    const list = await listed(admin);
    expect(list.items).toHaveLength(5);
    return list;
  }, 'five people should stand apart');
  expect(items[0]).toMatchObject({ attempts: 2, name: null });
  const everybody = [owner, admin, ...members];
  for (const { me } of everybody) {
    expect(JSON.stringify(items)).not.toContain(me!.id);
    expect(JSON.stringify(items)).not.toContain(me!.name);
  }
  const personId = items[0]!.id;

  const shown = await reveal(admin, personId);
  expect(shown.name).toBe(busy!.me!.name);
  expect((await listed(admin)).items[0]?.name).toEqual(shown);
  expect((await listed(owner)).items[0]?.name).toBeNull();

  await eventually(async () => {
    const told = (await mails()).filter((text) => text.includes('asked for your name'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`To: ${busy!.me!.email}`);
    expect(told[0]).toContain('Spend doubled');
  }, 'the person should be told by mail');
  const mine = await busy!.call('GET /api/monitoring/my-name-reveals');
  expect(mine.items).toMatchObject([{ id: shown.revealId, by: admin.me!.name, reason: 'Spend doubled' }]);
  await eventually(async () => {
    const audit = await owner.call('GET /api/org/audit', { query: { act: 'name.revealed' } });
    expect(audit.items).toMatchObject([
      {
        actor: { userId: admin.me!.id },
        target: { id: busy!.me!.id, name: busy!.me!.name },
        changes: [{ field: 'expires', after: { kind: 'time', at: shown.until } }],
        reason: 'Spend doubled',
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain(personId);
  }, 'it should stand in the audit log');

  await admin.call('DELETE /api/monitoring/name-reveals/:revealId', { params: { revealId: shown.revealId } });
  expect((await listed(admin)).items[0]?.name).toBeNull();
}, 60_000);

test.each([
  ['no reason', { reason: '  ' }],
  ['a reason that is too long', { reason: 'x'.repeat(501) }],
  ['eight days', { hours: 192 }],
  ['a pseudonym that is none', { personId: 'P-7C19' }],
])('a name with %s is refused', async (_what, more) => {
  await expect(reveal(admin, '0'.repeat(24), more)).rejects.toMatchObject({
    problem: { code: 'platform.invalid-request' },
  });
});

test('nobody finds a pseudonym that is none, nor asks for a name without the right to', async () => {
  await expect(reveal(admin, '0'.repeat(24))).rejects.toMatchObject({
    problem: { code: 'monitoring.person-not-found' },
  });
  await expect(reveal(members[0]!, '0'.repeat(24))).rejects.toMatchObject({ problem: { code: 'platform.forbidden' } });
});
