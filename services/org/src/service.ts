import { orgLimitChanged, failInOrg, listOrgLimits, setOrgLimit } from '@parley/contracts';
import { joinInboxRows, replayDeadLetters } from '@parley/platform/event-bus';
import { RevocationLog, revocationsBell } from '@parley/platform/revocations';
import {
  errorTests,
  organisationLimits,
  startOwner,
  type OwnerParts,
  Platform,
  type RunningService,
} from '@parley/platform/service';
import { allOrganisationsFeature, approveEarlier } from './all-organisations/index.ts';
import { auditFeature, auditWords } from './audit/index.ts';
import { groupsFeature, groupQuota } from './groups/index.ts';
import {
  invitationsToJobs,
  invitationQuota,
  invitationViewsFeature,
  invitingFeature,
  joiningFeature,
} from './invitations/index.ts';
import { leavingFeature, manyMembersFeature, memberListFeature, membersFeature } from './members/index.ts';
import { organisationsFeature, tellOrganisations } from './organisations/index.ts';
import { OrgSettings } from './org.config.ts';
import { orgRenames } from './org-renames.ts';
import { membershipGuards, organisationSettings, rightsFeature, roleQuota } from './rights/index.ts';
import { rolesFeature } from './roles/index.ts';

/** A budget of somebody whom nobody knows stopped the audit log of all budgets. */
const parkedBudgets = replayDeadLetters('parked-budget-audit', ['audit-budget']);
export { approveByOperator } from './all-organisations/index.ts';
export { orgConfig, orgSettings, type OrgSettings } from './org.config.ts';

/** Organisations, who belongs to them, and what each may do there. */
const countedQuotas = [groupQuota, invitationQuota, roleQuota];

export const orgParts = (settings: OrgSettings): OwnerParts => ({
  modules: [
    rightsFeature,
    organisationsFeature,
    membersFeature,
    memberListFeature,
    manyMembersFeature,
    leavingFeature,
    rolesFeature,
    groupsFeature,
    auditFeature,
    invitingFeature,
    invitationViewsFeature,
    joiningFeature,
    allOrganisationsFeature,
    errorTests(failInOrg),
    organisationLimits({ list: listOrgLimits, set: setOrgLimit, changed: orgLimitChanged, counted: countedQuotas }),
  ],
  providers: (mongo) => [
    { provide: OrgSettings, useValue: settings },
    {
      provide: RevocationLog,
      useFactory: ({ doorbell }: Platform) => new RevocationLog(mongo, () => doorbell.ring(revocationsBell('org'))),
      inject: [Platform],
    },
  ],
  group: 'org',
  dataMigrations: [
    orgRenames,
    membershipGuards,
    organisationSettings,
    parkedBudgets,
    auditWords,
    invitationsToJobs,
    approveEarlier,
    joinInboxRows,
  ],
  countedQuotas,
  snapshots: ({ mongo }, record) => tellOrganisations(mongo, record),
});

/** Starts org. */
export async function startOrg(platform: Platform, settings: OrgSettings): Promise<RunningService> {
  return startOwner(platform, orgParts(settings));
}
