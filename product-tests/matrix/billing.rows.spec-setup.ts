import {
  billingRoutes,
  metricRoutes,
  monitoringRoutes,
  nowRoutes,
  presenceRoutes,
  rateRoutes,
  serviceHealthRoutes,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { plain, rowsFor } from './rows.spec-setup.ts';

export const billingRows = rowsFor(billingRoutes, {
  listLedgerEntries: {
    request: () => ({ query: { limit: '100' } }),
    lists: { ids: ({ messages }) => [messages[1]?.generation?.id ?? ''], whose: 'organisation' },
  },
  listMyAnswers: {
    request: ({ conversationId }) => ({ query: { conversationId } }),
    lists: { ids: ({ messages }) => [messages[1]?.generation?.id ?? ''], whose: 'owner' },
  },
  getMyUsage: { request: () => ({ query: { month: '2026-11', zone: 'Europe/Oslo' } }) },
});

let prices = 0;
const newPrice = () => ({
  id: newId('rate'),
  currency: 'EUR',
  host: null,
  model: `matrix-${(prices += 1)}`,
  inputMicros: 2_500_000,
  outputMicros: 10_000_000,
  cachedMicros: 1_250_000,
  validFrom: null,
  validUntil: null,
  replaces: null,
});
let listed: string;

export const rateRows = rowsFor(rateRoutes, {
  listRates: {
    request: async ({ owner }) => {
      listed = (await owner.call('POST /api/billing/rates', { body: newPrice() })).id;
      return { query: { limit: '100' } };
    },
    lists: { ids: () => [listed], whose: 'owner' },
  },
  createRate: { request: () => ({ body: newPrice() }) },
  endRate: {
    things: 'owner',
    repeated: 409,
    request: async ({ owner }) => {
      const { id, version } = await owner.call('POST /api/billing/rates', { body: newPrice() });
      return { params: { rateId: id }, body: { version, validUntil: null } };
    },
  },
  importRates: {
    request: () => ({
      body: { currency: 'EUR', csv: `model,input,output\n${newPrice().model},1,2`, replaces: false, isDryRun: false },
    }),
  },
});
export const monitoringRows = rowsFor(monitoringRoutes, {
  listAllOrganisations: {
    request: () => ({ query: { limit: '100' } }),
    lists: { ids: ({ owner }) => [owner.orgId ?? ''], whose: 'owner' },
  },
  getOrganisationOverview: { things: 'owner', request: ({ owner }) => ({ params: { orgId: owner.orgId ?? '' } }) },
});
export const metricRows = rowsFor(metricRoutes, {
  getMetrics: { request: () => ({ query: { span: 'day', by: 'model' } }) },
});
export const nowRows = rowsFor(nowRoutes, { listRunningAnswers: { ...plain, lists: null } });
export const presenceRows = rowsFor(presenceRoutes, {
  listActiveUsers: { ...plain, lists: { ids: ({ memberId }) => [memberId], whose: 'organisation' } },
});

const parkedJobs = { service: 'chat', kind: 'erase-document', ids: ['erase-document/doc_none'] };
const letters = { service: 'org', ids: ['nobody|evt_none'] };
export const serviceHealthRows = rowsFor(serviceHealthRoutes, {
  getServiceHealth: { things: 'owner', request: ({ owner }) => ({ params: { orgId: owner.orgId ?? '' } }) },
  tryDeadLetters: {
    things: 'owner',
    lists: null,
    request: ({ owner }) => ({ params: { orgId: owner.orgId ?? '' }, body: letters }),
  },
  replayDeadLetters: {
    things: 'owner',
    request: ({ owner }) => ({ params: { orgId: owner.orgId ?? '' }, body: letters }),
  },
  runParkedJobs: {
    things: 'owner',
    request: ({ owner }) => ({ params: { orgId: owner.orgId ?? '' }, body: parkedJobs }),
  },
});
