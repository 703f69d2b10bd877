import { beforeAll, expect, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import { job } from '@parley/platform/work';
import { aPerson, testStore } from '@parley/testing';
import { Readable } from 'node:stream';
import { PicturesService } from '../pictures/index.ts';
import { securityLogOn } from '../security-log.spec-setup.ts';
import { SessionsService } from '../sessions/index.ts';
import { UsersRepository } from '../users/index.ts';
import { ProfileService } from './profile.service.ts';

const { mongo, work, clock, ready } = await testStore();
const users = new UsersRepository(mongo, clock);
const settings = { registration: 'closed', registrationsPerHour: 20, setupToken: null } as const;
const sessions = new SessionsService(
  mongo,
  users,
  new RevocationLog(mongo),
  work,
  clock,
  settings,
  securityLogOn({ mongo, clock }),
);
const pictures = new PicturesService(mongo, work, clock);
const profiles = new ProfileService(users, sessions, pictures, settings, work);
const tests = jobScope('tests');
beforeAll(ready);

async function register(): Promise<PersonPrincipal> {
  const id = newId('user');
  const user = {
    id,
    email: `${id}@example.com`,
    name: 'Old',
    locale: 'en',
    timeZone: null,
    isProven: false,
    platformRole: null,
    version: 1,
  } as const;
  await work.run(job('tests'), (tx) => users.create(tests.of(id), { ...user, passwordHash: 'hash' }, tx));
  return aPerson({ userId: id });
}
const update = (principal: PersonPrincipal, body: object) =>
  profiles.update({ scope: tests.of(principal.userId), principal, body } as never);

test('a change counts the version; one that comes too late gets the current state', async () => {
  const me = await register();
  expect(await update(me, { version: 1, name: 'New' })).toMatchObject({ name: 'New', locale: 'en', version: 2 });
  await expect(update(me, { version: 1, name: 'Late' })).rejects.toMatchObject({
    code: 'platform.conflict',
    extras: { current: { name: 'New', version: 2 } },
  });
});

test('a time zone is kept until the browser is to decide again', async () => {
  const me = await register();
  expect(await update(me, { version: 1, timeZone: 'Asia/Riyadh' })).toMatchObject({ timeZone: 'Asia/Riyadh' });
  expect(await update(me, { version: 2, name: 'New' })).toMatchObject({ timeZone: 'Asia/Riyadh' });
  expect(await update(me, { version: 3, timeZone: null })).toMatchObject({ timeZone: null, version: 4 });
});

test('a picture is one of the own that are kept, or none, and who keeps a copy hears of it', async () => {
  const me = await register();
  const picture = newId('picture');
  const request = Readable.from([Buffer.from('R0lGODlhAQABAPAAAABjbAAAACwAAAAAAQABAAACAkQBADs=', 'base64')]);
  const uploading = { scope: tests.of(me.userId), principal: me, query: { id: picture }, request };
  await pictures.upload(uploading as never);
  expect(await update(me, { version: 1, picture })).toMatchObject({ picture, version: 2 });
  expect(await update(me, { version: 2, name: 'New' })).toMatchObject({ picture });
  const described = await profiles.describe({ scope: tests, params: { userId: me.userId } } as never);
  expect(described).toMatchObject({ picture, version: 3 });
  await expect(update(me, { version: 3, picture: newId('picture') })).rejects.toMatchObject({
    code: 'platform.not-found',
  });
  expect(await update(me, { version: 3, picture: null })).toMatchObject({ picture: null, version: 4 });
});

test("changes the own profile and nobody else's", async () => {
  const [me, other] = [await register(), await register()];
  await update(me, { version: 1, name: 'Mine' });
  expect(await profiles.read({ scope: tests.of(other.userId), principal: other })).toMatchObject({ name: 'Old' });
});

test('of somebody who is no more is nobody', async () => {
  const gone = aPerson();
  const reading = profiles.read({ scope: tests.of(gone.userId), principal: gone });
  await expect(reading).rejects.toMatchObject({ code: 'platform.unauthenticated' });
});
