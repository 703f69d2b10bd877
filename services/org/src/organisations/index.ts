import {
  createOrganisation,
  getMembership,
  listOrganisations,
  listOrgRevocations,
  renameOrganisation,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { OrganisationsService } from './organisations.service.ts';

export const organisationsFeature = feature({
  routes: {
    create: createOrganisation,
    list: listOrganisations,
    rename: renameOrganisation,
    membership: getMembership,
    listRevocations: listOrgRevocations,
  },
  handlers: OrganisationsService,
});

export { tellOrganisations } from './organisations.snapshots.ts';
