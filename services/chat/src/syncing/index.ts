import {
  changeConnection,
  createConnection,
  decideRemoval,
  deleteConnection,
  listConnections,
  listConnectionUses,
  previewConnection,
  retryConnection,
  syncConnection,
  testSearch,
} from '@parley/contracts';
import { SharesModule } from '@parley/platform/fair-turns';
import { feature } from '@parley/platform/service';
import { chatbotsFeature } from '../chatbots/index.ts';
import { ConnectionsModule } from '../connections/index.ts';
import { documentsFeature } from '../documents/index.ts';
import { embeddingsFeature } from '../embeddings/index.ts';
import { providersFeature } from '../models/index.ts';
import { ConnectionPreview } from './connection-preview.ts';
import { ConnectionsService } from './connections.service.ts';
import { SearchTester } from './search-tester.ts';
import { SourceReader } from './source-reader.ts';
import { SourceSettings } from './source-settings.ts';
import { SyncRunner } from './sync-runner.ts';

/** Data connections as people manage them, and the syncs that fill them. */
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
  handlers: ConnectionsService,
  providers: [SourceReader, SourceSettings, SyncRunner],
  exports: [SourceSettings],
  imports: [SharesModule, ConnectionsModule, documentsFeature, chatbotsFeature, providersFeature],
});

/** Dry runs of sources. */
export const connectionPreviewsFeature = feature({
  routes: { preview: previewConnection },
  handlers: ConnectionPreview,
  imports: [ConnectionsModule, connectionsFeature, providersFeature],
});

/** What somebody would find. */
export const searchTestsFeature = feature({
  routes: { test: testSearch },
  handlers: SearchTester,
  imports: [ConnectionsModule, embeddingsFeature],
});
