import {
  limitRoutes,
  organisationRoutes,
  platformOrganisationRoutes,
  type PlatformOrganisation,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { plain, rowsFor, type World } from './rows.spec-setup.ts';

export const organisationRows = rowsFor(organisationRoutes, {
  createOrganisation: { request: () => ({ body: { id: newId('organisation'), name: 'Another one' } }) },
  listOrganisations: { ...plain, lists: { ids: ({ owner }) => [owner.orgId ?? ''], whose: 'organisation' } },
  updateOrganisation: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { items } = await owner.call('GET /api/org/organisations');
      const version = items.find(({ id }) => id === owner.orgId)?.version;
      return { params: { orgId: owner.orgId ?? '' }, body: { version, name: 'Renamed' } };
    },
  },
  requestApproval: plain,
});

const firstOwner = () => {
  const invitationId = newId('invitation');
  return { invitationId, email: `${invitationId.toLowerCase()}@example.com` };
};
const provisioned = () => {
  const id = newId('organisation');
  return { id, name: `For ${id.slice(-8)}`, owner: firstOwner(), locale: 'en' as const, seatLimit: null };
};
const another = ({ owner }: World): Promise<PlatformOrganisation> =>
  owner.call('POST /api/org/all-organisations', { body: provisioned() });

export const platformOrganisationRows = rowsFor(platformOrganisationRoutes, {
  getPlatformOrganisation: { things: 'owner', request: ({ owner }) => ({ params: { orgId: owner.orgId ?? '' } }) },
  provisionOrganisation: { request: () => ({ body: provisioned() }) },
  inviteFirstOwner: {
    things: 'owner',
    request: async (world) => ({ params: { orgId: (await another(world)).id }, body: firstOwner() }),
  },
  changeOrganisationStatus: {
    things: 'owner',
    repeated: 409,
    request: async (world) => {
      const { id, version } = await another(world);
      return { params: { orgId: id }, body: { version, status: 'suspended', reason: 'Unpaid' } };
    },
  },
  changeSeatLimit: {
    things: 'owner',
    repeated: 409,
    request: async (world) => {
      const { id, version } = await another(world);
      return { params: { orgId: id }, body: { version, seatLimit: 5 } };
    },
  },
  changeApproval: {
    things: 'owner',
    request: async (world) => ({ params: { orgId: (await another(world)).id }, body: { isApproved: false } }),
  },
  countUnapproved: { request: () => ({}) },
  approveAll: { request: () => ({}) },
});

const limitsOf = {
  lists: null,
  things: 'owner',
  request: ({ owner }: World) => ({ params: { orgId: owner.orgId ?? '' } }),
} as const;
const limit = (quota: string, seen: number) =>
  ({
    things: 'owner',
    repeated: 409,
    request: async (world: World) => ({
      params: { orgId: (await another(world)).id, quota },
      body: { ceiling: seen - 1, seen },
    }),
  }) as const;

export const limitRows = rowsFor(limitRoutes, {
  listAuthLimits: limitsOf,
  listOrgLimits: limitsOf,
  listChatLimits: limitsOf,
  listBillingLimits: limitsOf,
  listMonitoringLimits: limitsOf,
  setAuthLimit: limit('apiKeys', 50),
  setOrgLimit: limit('emails', 500),
  setChatLimit: limit('chatbots', 200),
  setBillingLimit: limit('budgets', 200),
  setMonitoringLimit: limit('webhooks', 10),
});
