import { Injectable } from '@nestjs/common';
import { Mongo, type Rows } from '@parley/platform/mongo';
import { ChatSettings } from '../../chat.config.ts';
import { SyncedDocuments } from '../documents/index.ts';
import { Outbound } from '../../assistants/models/index.ts';
import { SourceSettings } from './source-settings.ts';
import { syncAddressRows } from './sync-address.collection.ts';
import { syncBucket } from './sync-bucket.ts';
import type { SyncRun } from './sync-run.ts';
import { syncSite } from './sync-site.ts';

/** Reads the source of a sync to its end, whatever kind it is. */
@Injectable()
export class SourceReader {
  private readonly addresses: Rows<typeof syncAddressRows>;

  constructor(
    private readonly documents: SyncedDocuments,
    private readonly outbound: Outbound,
    private readonly sources: SourceSettings,
    private readonly settings: ChatSettings,
    mongo: Mongo,
  ) {
    this.addresses = mongo.rows(syncAddressRows);
  }

  /** Rejects with `SourceError` where the source cannot be read. */
  async read(run: SyncRun): Promise<void> {
    const { source } = run.connection;
    const parts = { documents: this.documents, outbound: this.outbound.sources };
    if (source.kind === 'web')
      await syncSite(run, source, { ...parts, addresses: this.addresses, paceMs: this.settings.crawlPaceMs });
    if (source.kind === 'bucket')
      await syncBucket(run, source, { ...parts, secret: this.sources.open(run.scope, run.connection) });
  }
}
