import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PersonPrincipal, Principal } from '@parley/contracts';
import type { EventEnvelope, OrgId, UserId } from '@parley/protocol';
import { createKeyRing, publicKeysOf, TokenSigner, TokenVerifier } from '../../base/crypto/index.ts';
import { assertMade, jobScope, scopeOfCaller, scopeOfEvent, type TenantScope } from './tenant-scope.ts';

const orgId = 'org_01M7Z6X0BT7J6QPJC5FQE3HRSX' as OrgId;
const person: PersonPrincipal = {
  kind: 'person',
  userId: 'usr_01M7Z6X0BT7J6QPJC5FQE3HRSX' as UserId,
  name: 'P',
  locale: 'en',
  sessionKey: 's',
  platformRole: null,
  mayCreateOrganisations: false,
  organisation: { orgId, permissions: [], rightsVersion: 1 },
};

describe('scopeOfCaller', () => {
  let verify: (who: Principal) => Promise<Principal>;
  beforeAll(async () => {
    const ring = await createKeyRing();
    const signers = {
      bff: await TokenSigner.create('bff', ring.signing.bff.private),
      org: await TokenSigner.create('org', ring.signing.org.private),
    };
    const verifier = await TokenVerifier.create('chat', publicKeysOf(ring));
    verify = async (who) => verifier.verify(await signers[who.kind === 'person' ? 'bff' : 'org'].sign(who, 'chat'));
  });

  test.each<[string, Parameters<typeof scopeOfCaller>[0], Principal, object]>([
    ['a member inside the organisation', 'organisation', person, { orgId }],
    ['a person', 'person', person, { userId: person.userId }],
    ['a platform admin', 'platform', { ...person, platformRole: 'admin' }, { platform: 'platform admin' }],
    ['a service', 'internal', { kind: 'service', service: 'org' }, { platform: 'a call of org' }],
  ])('of %s', async (_case, routeScope, who, expected) => {
    const scope = scopeOfCaller(routeScope, await verify(who));
    expect(scope).toMatchObject(expected);
    expect(() => assertMade(scope)).not.toThrow();
  });

  test('refuses a principal without a verified token, also a copy of a verified principal', async () => {
    expect(() => scopeOfCaller('organisation', person)).toThrow('verified');
    expect(() => scopeOfCaller('internal', { kind: 'service', service: 'org' })).toThrow('verified');
    const verified = await verify(person);
    expect(() => scopeOfCaller('person', { ...verified })).toThrow('verified');
  });

  test('refuses a caller if the route is for others', async () => {
    expect(() => scopeOfCaller('platform', person)).toThrow();
    const somebody = await verify(person);
    expect(() => scopeOfCaller('platform', somebody)).toThrow('no scope');
    const alone = await verify({ ...person, organisation: null });
    expect(() => scopeOfCaller('organisation', alone)).toThrow('no scope');
  });

  test('gives a platform admin the organisation’s scope on a route of organisations', async () => {
    const admin = await verify({ ...person, platformRole: 'admin' });
    expect(scopeOfCaller('organisation', admin)).toEqual({ orgId });
    expect(scopeOfCaller('person', admin)).toEqual({ userId: person.userId });
  });

  test('refuses a scope that was invented, copied or changed', async () => {
    const scope = scopeOfCaller('organisation', await verify(person));
    for (const forged of [{ orgId }, { ...scope }, structuredClone(scope), Object.create(scope) as object])
      expect(() => assertMade(forged as TenantScope)).toThrow('no tenant scope');
    expect(() => Object.assign(scope, { orgId: 'org_another' })).toThrow();
  });
});

describe('jobScope', () => {
  test('narrows the scope of a job to one organisation and to one person', () => {
    const all = jobScope('a spec');
    expect([all.in(orgId), all.of(person.userId)]).toEqual([{ orgId }, { userId: person.userId }]);
    for (const scope of [all, all.in(orgId), all.of(person.userId)]) expect(() => assertMade(scope)).not.toThrow();
  });
});

describe('scopeOfEvent', () => {
  test('returns the scope of an event’s organisation, and none if the event belongs to none', () => {
    const scopeOf = (tenantid: OrgId | null) => scopeOfEvent({ tenantid } as EventEnvelope);
    expect([scopeOf(orgId), scopeOf(null)]).toEqual([{ orgId }, null]);
  });
});
