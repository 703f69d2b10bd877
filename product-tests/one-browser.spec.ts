import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ParleyClient } from '@parley/testing/client';
import { newPerson, password, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
beforeAll(async () => {
  running = await startTestParley();
}, 90_000);
afterAll(() => running.close());

test('a browser has one session: a second sign-in ends the first, and signing out tells the browser to forget', async () => {
  const person = await newPerson(running.url);
  const elsewhere = new ParleyClient(running.url);
  await elsewhere.signIn(person.me?.email ?? '', password);
  const before = person.copy();
  await person.signIn(person.me?.email ?? '', password);
  expect((await before.raw('GET', '/api/auth/me')).status).toBe(401);
  expect((await elsewhere.raw('GET', '/api/auth/me')).status).toBe(200);
  const ended = await person.raw('DELETE', '/api/auth/sessions/current');
  expect([ended.status, ended.headers.get('clear-site-data')]).toEqual([204, '"cache"']);
});
