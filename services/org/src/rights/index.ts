import { getMembership, listOrgRevocations } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { Approvals } from './approvals.ts';
import { Founders } from './founders.ts';
import { MembershipsRepository } from './memberships.repository.ts';
import { People } from './people.ts';
import { RightsService } from './rights.service.ts';
import { RolesRepository } from './roles.repository.ts';

export const rightsFeature = feature({
  routes: { membership: getMembership, listRevocations: listOrgRevocations },
  handlers: RightsService,
  providers: [Approvals, Founders, MembershipsRepository, RolesRepository, People],
  exports: [Approvals, Founders, MembershipsRepository, RolesRepository, People],
});

export { approvalOf, Approvals, flowOf, publishFlow } from './approvals.ts';
export { Founders } from './founders.ts';
export { held } from './guard.ts';
export { membershipId, personFields, type Person } from './membership.ts';
export { membershipRows, type MembershipRow } from './membership.collection.ts';
export { membersPerTurn, MembershipsRepository } from './memberships.repository.ts';
export { organisationRows, settingsOf, type OrganisationRow } from './organisation.collection.ts';
export { checkNotSuspended, statusOf, toSuspension } from './suspension.ts';
export { People } from './people.ts';
export { checkWithinOwn } from './rights.service.ts';
export { membershipGuards, organisationSettings } from './rights-upgrade.ts';
export { roleQuota } from './role-quota.ts';
export { RolesRepository } from './roles.repository.ts';
export { roleRows, type RoleRow } from './role.collection.ts';
