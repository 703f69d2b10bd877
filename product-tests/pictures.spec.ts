import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy' });
});
afterAll(() => running.close());

const gif = Buffer.from('R0lGODlhAQABAPAAAABjbAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

const upload = (id: string, body: NonNullable<RequestInit['body']>) =>
  owner.raw('POST', `/api/auth/pictures?id=${id}`, { body, contentType: 'application/octet-stream' });
async function shownPicture(): Promise<string> {
  const picture = newId('picture');
  expect((await upload(picture, new Uint8Array(gif))).status).toBe(201);
  const { version } = await owner.call('GET /api/auth/me');
  await owner.call('PATCH /api/auth/me', { body: { version, picture } });
  return picture;
}

test('a picture shows its person to the others of the organisation, and to nobody who is not signed in', async () => {
  const colleague = await newPerson(running.url);
  await plantMember(running.parley, colleague, owner, 'member');
  const picture = await shownPicture();
  const found = await eventually(async () => {
    const { items } = await owner.call('GET /api/org/members');
    const member = items.find(({ userId }) => userId === owner.me?.id);
    expect(member?.picture).toBe(picture);
    return member?.picture;
  }, 'the list of members should show the picture');
  const address = `/api/auth/pictures/${found}`;
  const seen = await colleague.raw('GET', address);
  const headers = ['content-type', 'cache-control', 'x-content-type-options', 'cross-origin-resource-policy'];
  expect([seen.status, ...headers.map((name) => seen.headers.get(name))]).toEqual([
    200,
    'image/webp',
    'private, max-age=31536000, immutable',
    'nosniff',
    'same-origin',
  ]);
  expect(Buffer.from(await seen.arrayBuffer()).toString('latin1')).toMatch(/^RIFF.{4}WEBP/s);
  expect((await new ParleyClient(running.url).raw('GET', address)).status).toBe(401);
});

test('what is refused is kept by no browser, and leaves the picture as it was', async () => {
  const picture = await shownPicture();
  const refused = await owner.raw('GET', `/api/auth/pictures/${newId('picture')}`);
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([404, 'no-store']);
  const tooLong = new Uint8Array(5_000_001);
  expect((await upload(newId('picture'), tooLong)).status).toBe(413);
  expect((await upload(newId('picture'), '<svg xmlns="http://www.w3.org/2000/svg"/>')).status).toBe(422);
  expect((await owner.call('GET /api/auth/me')).picture).toBe(picture);
  expect((await owner.raw('GET', `/api/auth/pictures/${picture}`)).status).toBe(200);
});
