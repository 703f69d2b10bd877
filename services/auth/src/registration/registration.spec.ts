import { beforeAll, describe, expect, test } from '@jest/globals';
import type { register } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { Problem, type BodyOf } from '@parley/protocol';
import { testStore } from '@parley/testing';
import type { AuthSettings } from '../auth.config.ts';
import { securityLogOn } from '../security-log.spec-setup.ts';
import { SessionsService } from '../sessions/index.ts';
import { UsersRepository } from '../users/index.ts';
import { RegistrationService } from './registration.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const users = new UsersRepository(mongo, clock);
const inviting = newId('organisation');
/** Org, which knows the secrets of these invitations, by the address that each is for; null is a link's. */
const invitations = new Map<string, string | null>();
/** Holds what else org says of a secret; an earlier version of org says less. */
const proofs = new Map<string, { provesAddress?: boolean; orgId?: undefined }>();
const org = {
  peers: {
    call: async (_route: unknown, { body }: { body: { token: string } }) => {
      const email = invitations.get(body.token);
      if (email === undefined) throw new Problem('org.invitation-not-found');
      const endsAt = new Date(clock.now().getTime() + dayMs).toISOString();
      return { email, maxUses: email === null ? 3 : 1, endsAt, orgId: inviting, ...proofs.get(body.token) };
    },
  },
} as unknown as Platform;
function serviceWith(settings: AuthSettings): RegistrationService {
  const sessions = new SessionsService(
    mongo,
    users,
    new RevocationLog(mongo),
    work,
    clock,
    settings,
    securityLogOn({ mongo, clock }),
  );
  const counts = new Counts(new MemoryKv(), () => clock.now().getTime());
  return new RegistrationService(users, sessions, work, counts, settings, org);
}
const open = serviceWith({ registration: 'open', registrationsPerHour: 20, setupToken: null });
const tests = jobScope('tests');
const dayMs = 86_400_000;
beforeAll(async () => {
  await ready();
  // Counts go by the hour and the day, and expire by the time of the machine.
  clock.advance((Math.floor(Date.now() / dayMs) + 1) * dayMs - clock.now().getTime());
});

type Input = BodyOf<typeof register>;
const aPerson = (more: Partial<Input> = {}): Input => {
  const id = newId('user');
  return { id, email: `${id}@example.com`, name: 'Ada', password: 'three quiet herons', locale: 'en', ...more };
};
const countUsers = () => mongo.connection.collection('users').countDocuments();

describe('an account', () => {
  test('is made with its session, and both are told', async () => {
    const input = aPerson();
    const { user, session } = await open.makeAccount(input);
    expect(user).toMatchObject({ id: input.id, isProven: false, platformRole: null, version: 1 });
    expect(session.defaultOrgId).toBeNull();
    const found = await users.findByEmail(tests, input.email);
    expect(found?.passwordHash).toMatch(/^argon2id\$/);
    const types = (await recorded()).filter(({ subject }) => subject === input.id).map(({ type }) => type);
    expect(types).toEqual(['user.registered.v1', 'session.created.v1']);
  });

  test('of an address that is taken is refused and leaves nothing', async () => {
    const first = aPerson();
    await open.makeAccount(first);
    const [count, events] = [await countUsers(), (await recorded()).length];
    await expect(open.makeAccount(aPerson({ email: first.email }))).rejects.toMatchObject({ code: 'auth.email-taken' });
    expect([await countUsers(), (await recorded()).length]).toEqual([count, events]);
  });

  test('whose making fails later leaves nothing either', async () => {
    const { id, email, name } = aPerson();
    const user = {
      id,
      email,
      name,
      locale: 'en',
      timeZone: null,
      isProven: false,
      platformRole: null,
      version: 1,
      passwordHash: 'hash',
    } as const;
    const failing = work.run(job('tests'), async (tx) => {
      await users.create(tests.of(id), user, tx);
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await users.findByEmail(tests, email)).toBeNull();
    await work.run(job('tests'), (tx) => users.create(tests.of(id), user, tx));
  });

  test('with a password that everybody guesses is refused', async () => {
    const weak = aPerson({ password: 'passwordpassword' });
    await expect(open.makeAccount(weak)).rejects.toMatchObject({ code: 'auth.password-too-common' });
    expect(await users.findByEmail(tests, weak.email)).toBeNull();
  });

  test('is for those whom the mode lets in', async () => {
    const refusal = (registration: AuthSettings['registration']) =>
      serviceWith({ registration, registrationsPerHour: 20, setupToken: 'secret' })
        .makeAccount(aPerson())
        .catch(({ code }: { code: string }) => code);
    expect(await refusal('closed')).toBe('auth.registration-closed');
    expect(await refusal('invitation')).toBe('auth.invitation-required');
  });
});

describe('the setup link', () => {
  const closed = serviceWith({ registration: 'closed', registrationsPerHour: 20, setupToken: 'the-link' });
  const refused = { code: 'auth.setup-token-invalid' };

  test('with another token, or where there is none, lets nobody in', async () => {
    await expect(closed.makeAccount(aPerson({ setupToken: 'other' }))).rejects.toMatchObject(refused);
    await expect(open.makeAccount(aPerson({ setupToken: 'the-link' }))).rejects.toMatchObject(refused);
    expect(await closed.info()).toMatchObject({ setupPending: true, contacts: [] });
  });

  test('makes one platform admin, also when two use it at once, and none afterwards', async () => {
    const both = [aPerson({ setupToken: 'the-link' }), aPerson({ setupToken: 'the-link' })];
    const made = await Promise.allSettled(both.map((input) => closed.makeAccount(input)));
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(closed.makeAccount(aPerson({ setupToken: 'the-link' }))).rejects.toMatchObject(refused);
    const admins = await mongo.connection.collection('users').countDocuments({ platformRole: 'admin' });
    expect(admins).toBe(1);
    expect(await closed.info()).toEqual({ mode: 'closed', setupPending: false, contacts: ['Ada'] });
  });
});

describe('by invitation', () => {
  const invited = serviceWith({ registration: 'invitation', registrationsPerHour: 20, setupToken: null });

  test('the address that it was mailed to is proven, and no other gets in by it', async () => {
    const input = aPerson({ invitation: 'mailed' });
    invitations.set('mailed', input.email);
    proofs.set('mailed', { provesAddress: true });
    expect((await invited.makeAccount(input)).user).toMatchObject({ email: input.email, isProven: true });
    const other = aPerson({ invitation: 'mailed' });
    await expect(invited.makeAccount(other)).rejects.toMatchObject({ code: 'org.invitation-for-another' });
    expect(await users.findByEmail(tests, other.email)).toBeNull();
  });

  test('an address whose link was shown to the inviter is not, nor one of which org says nothing', async () => {
    proofs.set('shown', { provesAddress: false });
    for (const invitation of ['shown', 'silent']) {
      const input = aPerson({ invitation });
      invitations.set(invitation, input.email);
      expect((await invited.makeAccount(input)).user.isProven).toBe(false);
    }
  });

  test('a link lets anybody in and proves nothing; a secret that is none lets nobody in', async () => {
    invitations.set('link', null);
    expect((await invited.makeAccount(aPerson({ invitation: 'link' }))).user.isProven).toBe(false);
    const guessed = aPerson({ invitation: 'guessed' });
    await expect(invited.makeAccount(guessed)).rejects.toMatchObject({ code: 'org.invitation-not-found' });
    await expect(invited.makeAccount(aPerson())).rejects.toMatchObject({ code: 'auth.invitation-required' });
  });

  test('a link makes as many accounts in a day as it has uses, also at once, and one that fails takes none', async () => {
    invitations.set('three', null);
    const taken = aPerson({ invitation: 'three' });
    await open.makeAccount({ ...taken, invitation: undefined });
    await expect(invited.makeAccount({ ...taken, id: newId('user') })).rejects.toMatchObject({
      code: 'auth.email-taken',
    });
    const tried = await Promise.allSettled(
      Array.from({ length: 5 }, () => invited.makeAccount(aPerson({ invitation: 'three' }))),
    );
    const refused = tried.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual(
      [0, 1].map(() => ({
        status: 'rejected',
        reason: expect.objectContaining({ code: 'org.invitation-ended' }) as unknown,
      })),
    );
    clock.advance(dayMs);
    await invited.makeAccount(aPerson({ invitation: 'three' }));
  });

  test('opens nothing where registration is closed', async () => {
    const closed = serviceWith({ registration: 'closed', registrationsPerHour: 20, setupToken: null });
    invitations.set('closed', null);
    const input = aPerson({ invitation: 'closed' });
    await expect(closed.makeAccount(input)).rejects.toMatchObject({ code: 'auth.registration-closed' });
  });
});

describe('from one network', () => {
  const few = serviceWith({ registration: 'open', registrationsPerHour: 2, setupToken: null });
  const here = { network: '192.0.2.0/24' };

  test('so many register in an hour without an invitation, and whoever has one registers beside them', async () => {
    for (let count = 0; count < 2; count += 1) await few.makeAccount(aPerson(), here);
    await expect(few.makeAccount(aPerson(), here)).rejects.toMatchObject({ code: 'platform.rate-limited' });
    await few.makeAccount(aPerson(), { network: '198.51.100.0/24' });
    invitations.set('colleagues', null);
    for (let count = 0; count < 3; count += 1) await few.makeAccount(aPerson({ invitation: 'colleagues' }), here);
    clock.advance(3_600_000);
    await few.makeAccount(aPerson(), here);
  });
});

describe('an account tells by whose invitation it was made', () => {
  const invitedBy = async (more: Partial<Input> = {}) =>
    (await users.arrival(tests.of((await open.makeAccount(aPerson(more))).user.id)))?.invitedBy;

  test("which is nobody's without one", async () => {
    expect(await invitedBy()).toBeNull();
  });

  test('an account that used an invitation is known as invited by its organisation', async () => {
    invitations.set('colleague', null);
    expect(await invitedBy({ invitation: 'colleague' })).toBe(inviting);
  });

  test('which nobody knows where an earlier version of org does not name the organisation', async () => {
    invitations.set('earlier', null);
    proofs.set('earlier', { orgId: undefined });
    expect(await invitedBy({ invitation: 'earlier' })).toBeUndefined();
  });
});
