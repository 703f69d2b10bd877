import { organisationRoutes } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { plain, rowsFor } from './rows.spec-setup.ts';

export const organisationRows = rowsFor(organisationRoutes, {
  createOrganisation: { request: () => ({ body: { id: newId('organisation'), name: 'Another one' } }) },
  listOrganisations: { ...plain, lists: { ids: ({ owner }) => [owner.orgId ?? ''], whose: 'organisation' } },
  renameOrganisation: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { items } = await owner.call('GET /api/org/organisations');
      const version = items.find(({ id }) => id === owner.orgId)?.version;
      return { params: { orgId: owner.orgId ?? '' }, body: { version, name: 'Renamed' } };
    },
  },
});
