import {
  approveAll,
  changeApproval,
  changeOrganisationStatus,
  changeSeatLimit,
  countUnapproved,
  getOrganisationFacts,
  getPlatformOrganisation,
  inviteFirstOwner,
  provisionOrganisation,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { invitingFeature } from '../invitations/index.ts';
import { rightsFeature } from '../rights/index.ts';
import { AllOrganisationsService } from './all-organisations.service.ts';
import { FirstOwners } from './first-owners.ts';
import { PlatformViews } from './platform-views.ts';
import { SeatOrdersConsumer } from './seat-orders.consumer.ts';

export const allOrganisationsFeature = feature({
  routes: {
    read: getPlatformOrganisation,
    provision: provisionOrganisation,
    inviteFirstOwner,
    changeStatus: changeOrganisationStatus,
    changeSeatLimit,
    changeApproval,
    countUnapproved,
    approveAll,
    facts: getOrganisationFacts,
  },
  handlers: AllOrganisationsService,
  consumers: [SeatOrdersConsumer],
  providers: [FirstOwners, PlatformViews],
  imports: [rightsFeature, invitingFeature],
});

export { approveEarlier } from './approve-earlier.ts';
export { approveByOperator } from './approve-by-operator.ts';
