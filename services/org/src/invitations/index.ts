import {
  acceptInvitation,
  acceptMyInvitation,
  checkAddresses,
  checkInvitation,
  createInvitationLink,
  declineInvitation,
  invitePeople,
  listInvitations,
  listMyInvitations,
  replaceInvitationLink,
  resendInvitation,
  revokeInvitation,
  viewInvitation,
  viewMyInvitation,
} from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { groupsFeature } from '../groups/index.ts';
import { organisationsFeature } from '../organisations/index.ts';
import { rightsFeature } from '../rights/index.ts';
import { EarlierReservations } from './earlier-reservations.ts';
import { EmailAllowance } from './email-allowance.ts';
import { InvitationLinks } from './invitation-links.ts';
import { mailInvitation } from './invitation-job.ts';
import { InvitationMailer } from './invitation-mailer.ts';
import { InvitationUpkeep } from './invitation-upkeep.ts';
import { InvitationViews } from './invitation-views.ts';
import { InvitationsConsumer } from './invitations.consumer.ts';
import { InvitationsRepository } from './invitations.repository.ts';
import { InvitingService } from './inviting.service.ts';
import { JoiningService } from './joining.service.ts';
import { PeopleInviter } from './people-inviter.ts';

export { invitationsToJobs } from './invitation-job.ts';
export { invitationQuota } from './invitation-quota.ts';
export { invitationRows, type InvitationRow } from './invitation.collection.ts';
export { newInvitation } from './new-invitation.ts';
export { InvitationLinks, InvitationsRepository };

const parts = [rightsFeature, groupsFeature, organisationsFeature];

export const invitingFeature = feature({
  routes: {
    list: listInvitations,
    check: checkAddresses,
    invite: invitePeople,
    makeLink: createInvitationLink,
    replaceLink: replaceInvitationLink,
    resend: resendInvitation,
    revoke: revokeInvitation,
  },
  handlers: InvitingService,
  consumers: [InvitationsConsumer],
  jobs: [runBy(mailInvitation, InvitationMailer)],
  providers: [
    EarlierReservations,
    EmailAllowance,
    InvitationLinks,
    InvitationsRepository,
    InvitationUpkeep,
    PeopleInviter,
  ],
  imports: parts,
  exports: [InvitationLinks, InvitationsRepository],
});

export const invitationViewsFeature = feature({
  routes: { view: viewInvitation, viewMine: viewMyInvitation },
  handlers: InvitationViews,
  imports: [...parts, invitingFeature],
  exports: [InvitationViews],
});

export const joiningFeature = feature({
  routes: {
    accept: acceptInvitation,
    acceptMine: acceptMyInvitation,
    decline: declineInvitation,
    listMine: listMyInvitations,
    check: checkInvitation,
  },
  handlers: JoiningService,
  imports: [...parts, invitingFeature, invitationViewsFeature],
});
