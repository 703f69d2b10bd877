import { apiKeyRoutes, type ApiKeyId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { rowsFor, type World } from './rows.spec-setup.ts';

const aDayMs = 24 * 3_600_000;
const wanted = () => ({
  id: newId('apiKey'),
  name: 'Night report',
  permissions: ['chat:read' as const],
  endsAt: new Date(Date.now() + aDayMs).toISOString(),
});

let known: ApiKeyId | undefined;
/** A key of the owner that nobody ends. */
async function aKey({ owner }: World): Promise<ApiKeyId> {
  if (known) return known;
  const { key } = await owner.call('POST /api/auth/my-api-keys', { body: wanted() });
  return (known = key.id);
}
async function anotherKey({ owner }: World): Promise<ApiKeyId> {
  return (await owner.call('POST /api/auth/my-api-keys', { body: wanted() })).key.id;
}
const withKey = async (world: World) => {
  await aKey(world);
  return {};
};

export const apiKeyRows = rowsFor(apiKeyRoutes, {
  listMyApiKeys: { request: withKey, lists: { ids: () => (known ? [known] : []), whose: 'owner' } },
  createApiKey: { request: () => ({ body: wanted() }) },
  revokeMyApiKey: { things: 'owner', request: async (world) => ({ params: { apiKeyId: await anotherKey(world) } }) },
  listApiKeys: { request: withKey, lists: { ids: () => (known ? [known] : []), whose: 'organisation' } },
  revokeApiKey: {
    things: 'organisation',
    request: async (world) => ({ params: { apiKeyId: await anotherKey(world) }, query: { reason: 'Lost' } }),
  },
});
