import {
  changeConnection,
  createConnection,
  decideRemoval,
  deleteConnection,
  listConnections,
  listConnectionUses,
  retryConnection,
  syncConnection,
  testSearch,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { ConnectionsModule } from '../connections/index.ts';
import { documentsFeature } from '../documents/index.ts';
import { embeddingsFeature } from '../embeddings/index.ts';
import { SyncingModule } from '../syncing/index.ts';
import { ConnectionManagementService } from './connection-management.service.ts';
import { SearchTester } from './search-tester.ts';

/** Data connections as people list, set up and sync them. */
export const connectionsFeature = feature({
  routes: {
    list: listConnections,
    create: createConnection,
    change: changeConnection,
    delete: deleteConnection,
    sync: syncConnection,
    decideRemoval,
    retry: retryConnection,
    listUses: listConnectionUses,
  },
  handlers: ConnectionManagementService,
  imports: [ConnectionsModule, documentsFeature, chatbotsFeature, SyncingModule],
});

/** What somebody would find. */
export const searchTestsFeature = feature({
  routes: { test: testSearch },
  handlers: SearchTester,
  imports: [ConnectionsModule, embeddingsFeature],
});
