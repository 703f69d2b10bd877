import { Module } from '@nestjs/common';
import { previewConnection } from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { providersFeature } from '../../assistants/models/index.ts';
import { ConnectionsModule, eraseConnection, syncConnections } from '../connections/index.ts';
import { documentsFeature } from '../documents/index.ts';
import { ConnectionEraser } from './connection-eraser.ts';
import { ConnectionPreview } from './connection-preview.ts';
import { SourceReader } from './source-reader.ts';
import { SourceSettings } from './source-settings.ts';
import { SyncRunner } from './sync-runner.ts';

export { SourceSettings };

/** The sources of data connections. */
@Module({
  imports: [ConnectionsModule, documentsFeature, providersFeature],
  providers: [SourceReader, SourceSettings],
  exports: [SourceReader, SourceSettings],
})
export class SyncingModule {}

/** Syncs of data connections, and dry runs of their sources. */
export const connectionPreviewsFeature = feature({
  routes: { preview: previewConnection },
  handlers: ConnectionPreview,
  jobs: [runBy(syncConnections, SyncRunner), runBy(eraseConnection, ConnectionEraser)],
  imports: [ConnectionsModule, SyncingModule, documentsFeature, providersFeature],
});
