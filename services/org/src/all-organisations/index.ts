import {
  changeOrganisationStatus,
  changeSeatLimit,
  changeFlow,
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
    changeFlow,
    facts: getOrganisationFacts,
  },
  handlers: AllOrganisationsService,
  consumers: [SeatOrdersConsumer],
  providers: [FirstOwners, PlatformViews],
  imports: [rightsFeature, invitingFeature],
});
