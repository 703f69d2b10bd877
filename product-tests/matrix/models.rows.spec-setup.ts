import { embeddingRoutes, modelRoutes, outboundRoutes, titleRoutes } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { plain, rowsFor } from './rows.spec-setup.ts';

const fields = { name: 'Mock', baseUrl: 'http://127.0.0.1:9/v1', models: ['m'], defaultModel: 'm', isDefault: false };

export const modelRows = rowsFor(modelRoutes, {
  listModels: { ...plain, lists: { ids: ({ provider }) => [provider.id], whose: 'organisation' } },
  listProviders: { ...plain, lists: { ids: ({ provider }) => [provider.id], whose: 'organisation' } },
  createProvider: { request: () => ({ body: { id: newId('provider'), ...fields } }) },
  updateProvider: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner, provider }) => {
      const { items } = await owner.call('GET /api/chat/providers');
      const version = items.find(({ id }) => id === provider.id)?.version;
      return { params: { providerId: provider.id }, body: { version, name: 'Other name' } };
    },
  },
  deleteProvider: {
    things: 'organisation',
    repeated: 404,
    request: async ({ owner }) => {
      const { id } = await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...fields } });
      return { params: { providerId: id } };
    },
  },
  testProvider: { request: () => ({ body: { baseUrl: 'http://127.0.0.1:9/v1' } }) },
  listProviderOffers: { ...plain, lists: null },
  // Nothing is offered on the test machine: that it may be asked at all is what the row proves.
  acceptProviderOffer: {
    refused: 404,
    request: () => ({
      body: {
        id: newId('provider'),
        source: 'environment',
        baseUrl: 'http://127.0.0.1:9/v1',
        defaultModel: 'm',
        isDefault: false,
      },
    }),
  },
});

export const titleRows = rowsFor(titleRoutes, {
  getTitleSetting: plain,
  setTitleSetting: {
    repeated: 409,
    request: async ({ owner }) => {
      const { version } = await owner.call('GET /api/chat/title-setting');
      return { body: { isOn: true, version } };
    },
  },
});
export const embeddingRows = rowsFor(embeddingRoutes, { getEmbedding: plain });

let hosts = 0;
const newAddress = () => ({ address: `10.1.${Math.floor((hosts += 1) / 250)}.${hosts % 250}:8080` });

export const outboundRows = rowsFor(outboundRoutes, {
  listAllowedAddresses: { ...plain, lists: null },
  allowAddress: { request: () => ({ body: newAddress() }) },
  disallowAddress: { request: () => ({ query: newAddress() }) },
});
