import {
  createApiKey,
  listApiKeys,
  listMyApiKeys,
  findApiKeys,
  resolveApiKey,
  revokeApiKey,
  revokeMyApiKey,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { UsersModule } from '../users/index.ts';
import { ApiKeysConsumer } from './api-keys.consumer.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';
import { ApiKeysService } from './api-keys.service.ts';
import { OwnApiKeysService } from './own-api-keys.service.ts';

export const apiKeysFeature = feature({
  routes: { list: listApiKeys, revoke: revokeApiKey, resolve: resolveApiKey, find: findApiKeys },
  handlers: ApiKeysService,
  consumers: [ApiKeysConsumer],
  providers: [ApiKeysRepository],
  imports: [UsersModule],
  exports: [ApiKeysRepository],
});

export const ownApiKeysFeature = feature({
  routes: { list: listMyApiKeys, create: createApiKey, revoke: revokeMyApiKey },
  handlers: OwnApiKeysService,
  imports: [apiKeysFeature],
});
