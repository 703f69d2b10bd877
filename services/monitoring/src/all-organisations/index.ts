import { getOrganisationOverview, listAllOrganisations } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { AllOrganisationsConsumer } from './all-organisations.consumer.ts';
import { AllOrganisationsService } from './all-organisations.service.ts';
import { TimeZones } from './time-zones.ts';

export const allOrganisationsFeature = feature({
  routes: { list: listAllOrganisations, read: getOrganisationOverview },
  handlers: AllOrganisationsService,
  consumers: [AllOrganisationsConsumer],
  providers: [TimeZones],
  exports: [AllOrganisationsService, TimeZones],
});

export { earlierOverviews } from './earlier-overviews.ts';
export { AllOrganisationsService } from './all-organisations.service.ts';
export { TimeZones } from './time-zones.ts';
