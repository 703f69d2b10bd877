import { Injectable } from '@nestjs/common';
import { limits, mostDocuments, type ConnectionSource, type previewConnection } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import type { ResponseOf } from '@parley/protocol';
import { ChatSettings } from '../../chat.config.ts';
import { ConnectionsRepository } from '../connections/index.ts';
import { Outbound } from '../../assistants/models/index.ts';
import { MemoryFrontier } from './frontier.ts';
import { SiteFetcher } from './site-fetcher.ts';
import { Site } from './site.ts';
import { nameOf, type WebSource } from './site-scope.ts';
import { failuresOfStart } from './sync-site.ts';
import { SourceError, toSourceError } from './source-error.ts';
import { checkStart, SourceSettings } from './source-settings.ts';
import { listed, openBucket, toDocument, type BucketSource } from './sync-bucket.ts';

const dryRunMs = 20_000;
const mostVisited = 25;
const mostShown = 20;

type Preview = ResponseOf<typeof previewConnection>;
type Seen = { -readonly [Part in keyof Preview]: Preview[Part] };
const nothing = (): Seen => ({
  failure: null,
  detail: null,
  found: 0,
  seen: 0,
  bytes: 0,
  isComplete: false,
  skipped: 0,
  sample: [],
});

/** Dry runs: what a source would give, without anything being stored. */
@Injectable()
export class ConnectionPreview {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly outbound: Outbound,
    private readonly sources: SourceSettings,
    private readonly settings: ChatSettings,
  ) {}

  async preview({ scope, body }: InputOf<typeof previewConnection>): Promise<Preview> {
    const { source } = body;
    checkStart(source);
    const preview = nothing();
    try {
      if (source.kind === 'web') await this.site(source, preview);
      if (source.kind === 'bucket') await this.bucket(source, await this.secretFor(scope, body), preview);
    } catch (error) {
      const { failure, detail } = error instanceof SourceError ? error : toSourceError(error);
      return { ...preview, failure, detail: detail?.slice(0, 300) ?? null };
    }
    return preview;
  }

  /** As a sync would go about it, for some pages; what they lead to is counted. */
  private async site(source: WebSource, preview: Seen): Promise<void> {
    const until = AbortSignal.timeout(dryRunMs);
    const site = await Site.open(source, new SiteFetcher(this.outbound.sources, this.settings.crawlPaceMs, until));
    const frontier = new MemoryFrontier(source.pages);
    await frontier.add((await site.starts()).map((address) => ({ address, depth: 0 })));
    for (let visited = 0, next = await frontier.next(); next && visited < mostVisited; visited += 1) {
      const { address, depth } = next;
      const visit = await site.visit(address, { depth, known: null }).catch((error: unknown) => {
        if (until.aborted && preview.seen > 0) return null;
        throw error;
      });
      if (visit === null) break;
      await frontier.visited();
      await frontier.add(visit.links.map((link) => ({ address: link, depth: depth + 1 })));
      preview.seen += 1;
      preview.found = frontier.size;
      if (visit.document) take(preview, { name: visit.document.name, address, bytes: visit.document.content.length });
      else preview.skipped += 1;
      if (preview.seen === 1 && !visit.document && visit.links.length === 0)
        throw new SourceError(failuresOfStart[visit.outcome] ?? 'unreadable', nameOf(address));
      next = await frontier.next();
    }
    preview.isComplete = (await frontier.next()) === null;
    if (preview.isComplete) preview.found = preview.seen - preview.skipped;
  }

  private async bucket(source: BucketSource, secret: string | null, preview: Seen): Promise<void> {
    const bucket = await openBucket(source, { outbound: this.outbound.sources, secret });
    const until = performance.now() + dryRunMs;
    try {
      for (let after: string | null = null, isMore = true; isMore;) {
        const { objects, next } = await listed(bucket, source.prefix, after);
        for (const object of objects) {
          const document = object.bytes > limits.fileBytes ? null : toDocument(object);
          if (document) take(preview, { name: document.name, address: object.key, bytes: object.bytes });
          else preview.skipped += 1;
          preview.seen += 1;
          preview.found += document ? 1 : 0;
        }
        after = next;
        isMore = next !== null && preview.found < mostDocuments && performance.now() < until;
        preview.isComplete = next === null;
      }
    } finally {
      bucket.close();
    }
  }

  /** That which is kept goes to its own host only. */
  private async secretFor(
    scope: OrganisationScope,
    {
      source,
      secret,
      connectionId,
    }: { source: ConnectionSource } & Pick<InputOf<typeof previewConnection>['body'], 'secret' | 'connectionId'>,
  ): Promise<string | null> {
    if (secret !== undefined) return secret;
    const kept = connectionId && (await this.connections.find(scope, connectionId));
    return kept ? this.sources.openFor(scope, kept, source) : null;
  }
}

function take(preview: Seen, { name, address, bytes }: Seen['sample'][number]): void {
  preview.bytes += bytes ?? 0;
  if (preview.sample.length < mostShown) preview.sample = [...preview.sample, { name, address, bytes }];
}
