import type { Mutant } from './mutant.ts';

const src = 'services/org/src';

/** Owners, seats, roles and invitations. */
export const membersMutants: readonly Mutant[] = [
  {
    breaks: 'the last owner goes',
    file: `${src}/rights/guard.ts`,
    find: 'if (ownerCount < 1)',
    put: 'if (ownerCount < 0)',
    spec: 'org/src/rights/guard.spec',
  },
  {
    breaks: 'a suspended owner counts as one',
    file: `${src}/rights/guard.ts`,
    find: "stand?.role === 'owner' && stand.status === 'active' ? 1 : 0",
    put: "stand?.role === 'owner' ? 1 : 0",
    spec: 'org/src/rights/guard.spec',
  },
  {
    breaks: 'one more than there are seats gets in',
    file: `${src}/rights/guard.ts`,
    find: 'memberCount + seatsHeld > seatLimit',
    put: 'memberCount + seatsHeld > seatLimit + 1',
    spec: 'org/src/rights/guard.spec',
  },
  {
    breaks: 'who was removed keeps the rights',
    file: `${src}/rights/memberships.repository.ts`,
    find: 'await this.memberships.within(scope, tx).delete({ _id: row._id });\n    await this.revoke(tx, row, rightsVersion);',
    put: 'await this.memberships.within(scope, tx).delete({ _id: row._id });',
    spec: 'org/src/members/members.spec',
  },
  {
    breaks: 'a role that was narrowed still counts',
    file: `${src}/rights/memberships.repository.ts`,
    find: 'await this.revokeAll(scope, tx, next.rightsVersion);',
    put: '',
    spec: 'org/src/roles/roles.spec',
  },
  {
    breaks: 'an admin changes who may do more',
    file: `${src}/members/members.service.ts`,
    find: 'checkWithinOwn(principal, (await this.roles.read(named.scope, row.role, tx)).permissions);',
    put: '',
    spec: 'org/src/members/members.spec',
  },
  {
    breaks: 'an invitation gives more than the inviter has',
    file: `${src}/invitations/inviting.service.ts`,
    find: 'checkWithinOwn(principal, (await this.roles.read(scope, role)).permissions);',
    put: '',
    spec: 'org/src/invitations/invitations.spec',
  },
  {
    breaks: "another account joins by somebody's mail",
    file: `${src}/invitations/joining.service.ts`,
    find: "if (row.kind === 'mail' && row.email !== person.email) throw new Problem('org.invitation-for-another');",
    put: '',
    spec: 'org/src/invitations/invitations.spec',
  },
  {
    breaks: 'an address that is not proven joins by a link of its domain',
    file: `${src}/invitations/joining.service.ts`,
    find: "if (row.domain !== null && !person.isProven) throw new Problem('org.address-not-proven');",
    put: '',
    spec: 'org/src/invitations/invitations.spec',
  },
  {
    breaks: 'an invitation of who was removed still works',
    file: `${src}/invitations/joining.service.ts`,
    find: "if (!(await this.views.mayStillInvite(row))) throw new Problem('org.inviter-lost-right');",
    put: '',
    spec: 'org/src/invitations/invitations.spec',
  },
  {
    breaks: 'a resent mail leaves the old link alive',
    file: `${src}/invitations/inviting.service.ts`,
    find: '        tokenHash: hashSecret(randomSecret()),\n        round',
    put: '        round',
    spec: 'org/src/invitations/invitations.spec',
  },
  {
    breaks: 'an address that only looks like the domain belongs to it',
    file: `${src}/invitations/invitation.ts`,
    find: 'email.endsWith(`@${domain}`)',
    put: 'email.endsWith(domain)',
    spec: 'org/src/invitations/invitations.spec',
  },
];
