import { beforeAll } from '@jest/globals';
import {
  makeInvitationLinks,
  permissionsOf,
  quotaLimits,
  type OrgRole,
  type Permission,
  type PersonPrincipal,
} from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import type { Platform } from '@parley/platform/service';
import { Quotas } from '@parley/platform/quotas';
import type { CallOf, OrgId, UserId } from '@parley/protocol';
import { aPerson, silentLogger, testStore } from '@parley/testing';
import { AllOrganisationsService } from './all-organisations/all-organisations.service.ts';
import { FirstOwners } from './all-organisations/first-owners.ts';
import { PlatformViews } from './all-organisations/platform-views.ts';
import { AuditAppender } from './audit/audit-appender.ts';
import { AuditLog } from './audit/audit-log.ts';
import { AuditNames } from './audit/audit-names.ts';
import { GroupsRepository } from './groups/index.ts';
import { GroupsService } from './groups/groups.service.ts';
import { EmailAllowance } from './invitations/email-allowance.ts';
import { InvitationLinks } from './invitations/invitation-links.ts';
import { InvitationUpkeep } from './invitations/invitation-upkeep.ts';
import { InvitationViews } from './invitations/invitation-views.ts';
import { InvitationsRepository } from './invitations/invitations.repository.ts';
import { InvitingService } from './invitations/inviting.service.ts';
import { JoiningService } from './invitations/joining.service.ts';
import { PeopleInviter } from './invitations/people-inviter.ts';
import { LeavingService } from './members/leaving.service.ts';
import { ManyMembersService } from './members/many-members.service.ts';
import { MemberActs } from './members/member-acts.ts';
import { MemberList } from './members/member-list.ts';
import { MembersService } from './members/members.service.ts';
import { OrganisationsService } from './organisations/organisations.service.ts';
import { Approvals, Founders, MembershipsRepository, RolesRepository, type People } from './rights/index.ts';
import type { KnownPerson } from './rights/people.ts';
import { RightsService } from './rights/rights.service.ts';
import { RolesService } from './roles/roles.service.ts';

/** The service's classes on a store of the spec's own. Auth knows everybody by an address made of the id. */
export async function orgSetup() {
  const store = await testStore();
  const { mongo, work, clock } = store;
  const revocations = new RevocationLog(mongo);
  const founders = new Founders(mongo, { organisationsPerPerson: 5 });
  const memberships = new MembershipsRepository(mongo, revocations, founders);
  const roleRows = new RolesRepository(mongo);
  const groupRows = new GroupsRepository(mongo, memberships);
  const proven = new Set<UserId>();
  const addresses = new Map<UserId, string>();
  /** People whose account has an age. */
  const arrivals = new Map<UserId, Pick<KnownPerson, 'createdAt' | 'invitedBy'>>();
  const people = {
    find: async (userId: UserId) => ({
      name: nameOf(userId).name,
      email: addresses.get(userId) ?? nameOf(userId).email,
      isProven: proven.has(userId),
      invitedBy: null,
      ...arrivals.get(userId),
      version: 1,
    }),
    isKnown: async (email: string) => [...addresses.values()].includes(email),
  } as People;
  const auditNames = new AuditNames(mongo, people);
  const approvals = new Approvals(mongo, memberships);
  const appender = new AuditAppender(mongo, auditNames, work);
  const audit = new AuditLog(mongo, auditNames, work);
  const invitations = new InvitationsRepository(mongo);
  const organisations = new OrganisationsService(mongo, work, memberships, roleRows, people, founders);
  const views = new InvitationViews(invitations, memberships, roleRows, groupRows, people, work, clock);
  const joinParts = [invitations, views, memberships, groupRows, organisations, people, work, clock] as const;
  /** Auth, as far as links are asked of it: without a mail server it returns them. */
  const auth = { sendsMail: true, isAway: false };
  const peers = {
    async call(route: unknown, { body }: CallOf<typeof makeInvitationLinks>) {
      if (auth.isAway || route !== makeInvitationLinks) throw new Error('away');
      const made = body.people.map(({ invitationId, eventId }) => {
        const token = `secret of ${eventId}`;
        return { invitationId, token, tokenHash: hashSecret(token) };
      });
      return { links: auth.sendsMail ? [] : made };
    },
  };
  const platform = { failpoint: async () => {}, logger: silentLogger(), peers } as unknown as Platform;
  const links = new InvitationLinks(invitations, memberships, platform);
  const emails = new EmailAllowance(mongo, people, new Counts(new MemoryKv(), () => clock.now().getTime()), clock);
  const inviter = new PeopleInviter(mongo, invitations, memberships, links, emails, work, clock);
  const acts = new MemberActs(memberships, roleRows, clock);
  const firstOwners = new FirstOwners(memberships, invitations, clock);
  const platformViews = new PlatformViews(mongo, memberships, invitations, clock);
  const services = {
    organisations,
    all: new AllOrganisationsService(mongo, memberships, firstOwners, platformViews, work, links, approvals),
    views,
    inviting: new InvitingService(invitations, memberships, roleRows, groupRows, work, clock, links, inviter, emails),
    joining: new JoiningService(...joinParts, platform),
    upkeep: new InvitationUpkeep(invitations, memberships, work, clock),
    memberList: new MemberList(mongo, roleRows),
    members: new MembersService(acts, memberships, roleRows, groupRows, work),
    many: new ManyMembersService(acts, work),
    leaving: new LeavingService(memberships, roleRows, groupRows, work),
    roles: new RolesService(roleRows, memberships, invitations, work),
    groups: new GroupsService(mongo, memberships, work),
    rights: new RightsService(memberships, roleRows, revocations),
  };
  beforeAll(store.ready);
  return {
    ...store,
    ...services,
    invitations,
    memberships,
    groupRows,
    roleRows,
    audit,
    appender,
    people,
    founders,
    approvals,
    revocations,
    proven,
    addresses,
    arrivals,
    auth,
  };
}
export type OrgSetup = Awaited<ReturnType<typeof orgSetup>>;

export const tests = jobScope('tests');

const nameOf = (userId: UserId) => ({
  name: `Person ${userId.slice(-4)}`,
  picture: null,
  email: `${userId.toLowerCase()}@example.com`,
});

/** A person with the rights of a role in the organisation. */
export function inRole(orgId: OrgId, role: OrgRole | readonly Permission[], userId?: UserId): PersonPrincipal {
  const rights = typeof role === 'string' ? permissionsOf(role as OrgRole) : role;
  return aPerson({ userId: userId ?? newId('user'), organisation: { orgId, permissions: rights, rightsVersion: 1 } });
}

/** What a handler gets, for a call of that person; the type is the handler's business. */
export function asked(principal: PersonPrincipal, parts: Record<string, unknown> = {}): never {
  const orgId = principal.organisation?.orgId;
  const scope = orgId ? tests.in(orgId) : tests.of(principal.userId);
  return { scope, principal, request: { header: () => undefined }, ...parts } as never;
}

/** A new organisation with its owner. */
export async function founded(setup: OrgSetup): Promise<{ orgId: OrgId; owner: PersonPrincipal }> {
  const orgId = newId('organisation');
  const founder = aPerson({ mayCreateOrganisations: true });
  await setup.organisations.create(
    asked(founder, { body: { id: orgId, name: `Org ${orgId.slice(-6)}`, locale: 'en', timeZone: 'UTC' } }),
  );
  return { orgId, owner: inRole(orgId, 'owner', founder.userId) };
}

/** A platform admin lets the organisation send as many emails as there can be. */
export const letSendMany = (setup: OrgSetup, orgId: OrgId): Promise<void> =>
  new Quotas(setup.mongo).setCeiling(tests.in(orgId), 'emails', quotaLimits.emails.highest);

/** Somebody who joins, with a role, as one does by an invitation. */
export async function joined(
  setup: OrgSetup,
  orgId: OrgId,
  role: OrgRole,
  person: { name?: string; email?: string } = {},
): Promise<PersonPrincipal> {
  const principal = inRole(orgId, role);
  const { userId } = principal;
  const known = { ...nameOf(userId), version: 1, ...person };
  await setup.work.run(principal, (tx) =>
    setup.memberships.add(tests.in(orgId), tx, {
      userId,
      role,
      groupIds: [],
      source: 'invitation',
      person: known,
      now: setup.clock.now(),
    }),
  );
  return principal;
}
