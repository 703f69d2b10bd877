import { queryOptions } from '@tanstack/react-query';
import type {
  BodyOf,
  OrgId,
  Organisation,
  Provider,
  ProviderId,
  ResponseOf,
  acceptProviderOffer,
  createProvider,
  listProviderOffers,
  listProviders,
  testProvider,
  updateProvider,
} from '@parley/contracts';
import { pathOf, request } from '../../../lib/http.ts';
import { orgKey } from '../../../lib/tab-organisation.tsx';

const oneProvider = '/api/chat/providers/:providerId';
export type ProviderTest = ResponseOf<typeof testProvider>;

export const providersQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: orgKey(orgId, 'providers'),
    queryFn: ({ signal }) => request<ResponseOf<typeof listProviders>>('/api/chat/providers', { orgId, signal }),
  });

export const offersQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: orgKey(orgId, 'provider-offers'),
    queryFn: ({ signal }) =>
      request<ResponseOf<typeof listProviderOffers>>('/api/chat/provider-offers', { orgId, signal }),
  });

export const postProvider = (orgId: OrgId, body: BodyOf<typeof createProvider>) =>
  request<Provider>('/api/chat/providers', { method: 'POST', orgId, body, retries: 2 });

export const patchProvider = (orgId: OrgId, providerId: ProviderId, body: BodyOf<typeof updateProvider>) =>
  request<Provider>(pathOf(oneProvider, { providerId }), { method: 'PATCH', orgId, body });

export const deleteProvider = (orgId: OrgId, providerId: ProviderId) =>
  request<void>(pathOf(oneProvider, { providerId }), { method: 'DELETE', orgId, retries: 2 });

export const postProviderTest = (orgId: OrgId, body: BodyOf<typeof testProvider>) =>
  request<ProviderTest>('/api/chat/providers/test', { method: 'POST', orgId, body });

export const acceptOffer = (orgId: OrgId, body: BodyOf<typeof acceptProviderOffer>) =>
  request<Provider>('/api/chat/provider-offers/accept', { method: 'POST', orgId, body, retries: 2 });

export const patchOrganisation = (orgId: OrgId, body: { version: number; name: string }) =>
  request<Organisation>(pathOf('/api/org/organisations/:orgId', { orgId }), { method: 'PATCH', orgId, body });
