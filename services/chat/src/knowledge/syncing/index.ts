import { Module } from '@nestjs/common';
import { previewConnection } from '@parley/contracts';
import { FlowsModule } from '@parley/platform/fair-turns';
import { feature } from '@parley/platform/service';
import { providersFeature } from '../../assistants/models/index.ts';
import { ConnectionsModule } from '../connections/index.ts';
import { documentsFeature } from '../documents/index.ts';
import { ConnectionPreview } from './connection-preview.ts';
import { SourceReader } from './source-reader.ts';
import { SourceSettings } from './source-settings.ts';
import { SyncRunner } from './sync-runner.ts';

export { SourceSettings };

/** The syncs that fill data connections. */
@Module({
  imports: [FlowsModule, ConnectionsModule, documentsFeature, providersFeature],
  providers: [SourceReader, SourceSettings, SyncRunner],
  exports: [SourceSettings],
})
export class SyncingModule {}

/** Dry runs of sources. */
export const connectionPreviewsFeature = feature({
  routes: { preview: previewConnection },
  handlers: ConnectionPreview,
  imports: [ConnectionsModule, SyncingModule, providersFeature],
});
