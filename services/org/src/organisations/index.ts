import { createOrganisation, listOrganisations, requestApproval, updateOrganisation } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { rightsFeature } from '../rights/index.ts';
import { OrganisationsService } from './organisations.service.ts';

export const organisationsFeature = feature({
  routes: { create: createOrganisation, list: listOrganisations, update: updateOrganisation, requestApproval },
  handlers: OrganisationsService,
  imports: [rightsFeature],
  exports: [OrganisationsService],
});

export { tellOrganisations } from './organisations.snapshots.ts';
export { OrganisationsService } from './organisations.service.ts';
export { newOrganisation, withFreeSlug } from './new-organisation.ts';
