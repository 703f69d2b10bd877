import { expect, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { aPerson } from '@parley/testing';
import { asked, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';
import { organisationRows } from './organisation.collection.ts';

const setup = await orgSetup();
const { mongo, organisations, leaving } = setup;
const organisationsOf = mongo.rows(organisationRows);

async function found(by: PersonPrincipal): Promise<OrgId> {
  const id = newId('organisation');
  await organisations.create(
    asked(by, { body: { id, name: 'Lindmoor', locale: 'en', timeZone: 'UTC', slug: slug() } }),
  );
  return id;
}
let count = 0;
const slug = (): string => `lindmoor-${(count += 1)}`;
const founder = (): PersonPrincipal => aPerson({ mayCreateOrganisations: true });
const platformAdmin = (): PersonPrincipal => aPerson({ mayCreateOrganisations: true, platformRole: 'admin' });
const transfer = (orgId: OrgId, from: UserId, to: UserId): Promise<void> =>
  leaving.transfer(asked(inRole(orgId, 'owner', from), { body: { userId: to } }));

test('a person creates five organisations and no sixth, twenty at once or one by one', async () => {
  const person = founder();
  const tried = await Promise.allSettled(Array.from({ length: 20 }, () => found(person)));
  const refused = tried.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
  expect(new Set(refused)).toEqual(new Set(['org.too-many-organisations']));
  expect(refused).toHaveLength(15);
  expect(await organisationsOf.within(tests).count({ founder: person.userId })).toBe(5);
  await expect(found(person)).rejects.toMatchObject({
    code: 'org.too-many-organisations',
    extras: { detail: expect.stringContaining('Ask a platform admin') as unknown },
  });
  await found(founder());
});

test('a platform admin creates as many as it takes', async () => {
  const admin = platformAdmin();
  for (let made = 1; made <= 7; made += 1) await found(admin);
});

test('who handed an organisation over can create another one, and does not get it back beyond the limit', async () => {
  const person = founder();
  const made: OrgId[] = [];
  while (made.length < 5) made.push(await found(person));
  const heir = await joined(setup, made[0]!, 'member');
  await transfer(made[0]!, person.userId, heir.userId);
  await found(person);
  await expect(transfer(made[0]!, heir.userId, person.userId)).rejects.toMatchObject({
    code: 'org.too-many-organisations',
  });
});
