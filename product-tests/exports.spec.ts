import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ExportId } from '@parley/contracts';
import { newPerson, password, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { unzipSync } from 'fflate';
import mongoose from 'mongoose';

let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Exports', setupToken });
});
afterAll(() => running.close());

async function exported(person: ParleyClient): Promise<ExportId> {
  const id = newId('export');
  await person.call('POST /api/chat/exports', { body: { id } });
  await eventually(async () => {
    const { items } = await person.call('GET /api/chat/exports');
    expect(items.find((item) => item.id === id)).toMatchObject({ status: 'ready' });
  }, 'the export should be ready');
  return id;
}

/** As a link of the page does: without the header that names the organisation. */
const download = (person: ParleyClient, id: ExportId, orgId = person.orgId) => {
  const bare = person.copy();
  bare.orgId = null;
  return bare.request('GET', `/api/chat/exports/${id}/content?org=${orgId}`);
};
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

/** Nobody has signed in or entered a password in the last ten minutes. */
async function elevenMinutesPass(person: ParleyClient): Promise<void> {
  const connection = await mongoose.createConnection(running.parley.internals.storeUri('parley_auth')).asPromise();
  const createdAt = new Date(Date.now() - 11 * 60_000);
  await connection.collection('sessions').updateMany({ userId: person.me?.id }, { $set: { createdAt } });
  await connection.close();
}

test('a person takes along their chats and files, and opens them without Parley', async () => {
  const fileId = newId('file');
  await owner.attach(fileId, 'Plan.md', '# Plan\n\nCarry over ends in March.');
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/files', { query: { ids: fileId } });
    expect(items[0]?.status).toBe('ready');
  }, 'the file should be ready');
  const conversationId = newId('conversation');
  await owner.send(conversationId, 'When does carry over end?', { files: [{ id: fileId, use: 'searched' }] });
  await eventually(async () => {
    const { items } = await owner.messages(conversationId);
    expect(items[1]?.generation?.status).toBe('done');
  }, 'the answer should be there');
  const response = await download(owner, await exported(owner));
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=parley-export-[\d-]{10}\.zip$/);
  const entries = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const read = (name: string) => Buffer.from(entries[name]!).toString();
  const chat = JSON.parse(read(`chats/${conversationId}.json`)) as {
    messages: { text: string; citations?: object[] }[];
  };
  expect(chat.messages.map(({ text }) => text)).toEqual([
    'When does carry over end?',
    expect.stringContaining('March'),
  ]);
  expect(chat.messages[1]!.citations).toMatchObject([{ number: 1, fileId }]);
  expect(read(`files/${fileId}/Plan.md`)).toContain('Carry over ends in March.');
  const markdown = Object.keys(entries).find((name) => name.endsWith('.md') && name.startsWith('chats/'))!;
  expect(markdown).toMatch(/^chats\/When does carry over end-[0-9A-Z]{8}\.md$/);
  const one = await owner.request('GET', `/api/chat/conversations/${conversationId}/export?as=markdown`);
  const without = (text: string) => text.replace(/Exported: .*/, '');
  expect(without(await one.text())).toBe(without(read(markdown)));
}, 60_000);

test('a download needs a fresh sign-in or the password, at once everywhere', async () => {
  const person = await newPerson(running.url, { organisation: 'Fresh' });
  const id = await exported(person);
  expect((await download(person, id)).status).toBe(200);
  await elevenMinutesPass(person);
  // Whatever is revoked, the BFF forgets the sessions that it has kept.
  await (await newPerson(running.url)).call('DELETE /api/auth/sessions/current');
  await eventually(async () => {
    const response = await download(person, id);
    expect([response.status, await codeOf(response)]).toEqual([403, 'auth.sign-in-again']);
  }, 'the password should be needed');
  const wrong = person.call('POST /api/auth/confirm', { body: { password: 'three loud herons' } });
  await expect(wrong).rejects.toMatchObject({ problem: { code: 'auth.password-wrong' } });
  await person.call('POST /api/auth/confirm', { body: { password } });
  expect((await download(person, id)).status).toBe(200);
}, 90_000);

test('who is no member any more gets nothing, nor does a colleague or an API key', async () => {
  const member = await newPerson(running.url);
  await plantMember(running.parley, member, owner, 'member');
  const id = await exported(member);
  expect((await download(member, id)).status).toBe(200);
  expect(await codeOf(await download(owner, id))).toBe('chat.export-not-found');
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const { secret } = await member.call('POST /api/auth/my-api-keys', {
    body: { id: newId('apiKey'), name: 'Backup', permissions: ['chat:read'], endsAt },
  });
  const byKey = await fetch(`${running.url}/api/chat/exports`, { headers: { authorization: `Bearer ${secret}` } });
  expect(await codeOf(byKey)).toBe('bff.not-by-key');
  await owner.call('DELETE /api/org/members/:userId', {
    params: { userId: member.me!.id },
    query: { reason: 'Left the company' },
  });
  await eventually(async () => {
    expect((await download(member, id, owner.orgId)).status).toBe(404);
  }, 'the member should be out');
}, 60_000);
