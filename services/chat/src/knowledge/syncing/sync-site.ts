import type { Rows } from '@parley/platform/mongo';
import type { OutboundClient } from '@parley/platform/outbound';
import type { SourceFailure, SyncProgress } from '@parley/contracts';
import { Readable } from 'node:stream';
import { isOfSource, mediaTypeIn, type Doing, type SyncedDocuments } from '../documents/index.ts';
import { StoredFrontier, type Found } from './frontier.ts';
import { nameOf, type WebSource } from './site-scope.ts';
import { Site, type Visit } from './site.ts';
import { SiteFetcher } from './site-fetcher.ts';
import { SourceError } from './source-error.ts';
import type { syncAddressRows } from './sync-address.collection.ts';
import type { SyncRun } from './sync-run.ts';

export type SiteParts = {
  readonly addresses: Rows<typeof syncAddressRows>;
  readonly documents: SyncedDocuments;
  readonly outbound: OutboundClient;
  readonly paceMs: number;
};

const begun = 'begun';
/** When the start itself gives nothing, the site is not read at all, and what is indexed of it stays. */
export const failuresOfStart: Partial<Record<Visit['outcome'], SourceFailure>> = {
  gone: 'not-found',
  outside: 'outside',
  'source-refused': 'refused',
  'source-failed': 'unreachable',
  'too-large': 'unreadable',
};

/**
 * Visits the start of a site, what it links to, and every page that is indexed already: one that does not change is not
 * sent again and so tells no links, and one that nobody links to any more stays as long as it is there.
 */
export async function syncSite(run: SyncRun, source: WebSource, parts: SiteParts): Promise<void> {
  const { documents, addresses } = parts;
  const { _id: id, run: number, cursor } = run.connection;
  const site = await Site.open(source, new SiteFetcher(parts.outbound, parts.paceMs, run.signal));
  const frontier = await StoredFrontier.open(addresses, { scope: run.scope, id, run: number }, source.pages);
  if (cursor !== begun) await seed(run, { source, site, frontier, documents });
  for (let next = await frontier.next(); next; next = await frontier.next()) {
    const known = (await documents.known(run.scope, id, [next.address])).get(next.address);
    // What the source did not give the last time is no state to compare with.
    const validators = known && !isOfSource(known) ? known : null;
    const visit = await site.visit(next.address, { depth: next.depth, known: asKnown(validators) });
    checkStart(source, next, visit);
    await frontier.add(visit.links.map((address) => ({ address, depth: depthOf(next!, visit) })));
    const { size: found } = frontier;
    const isCut = run.progress.isCut || frontier.isCut;
    await apply(run, documents, { visited: next, visit }, (counted) => async (act) => {
      await run.count({ ...counted, found, isCut }, async (tx) => {
        await act(tx);
        await frontier.visited(next!, tx);
      });
    });
    run.signal.throwIfAborted();
  }
  await frontier.clear();
}

/** A page that has moved is as near as where it was. */
const depthOf = ({ depth }: Found, { outcome }: Visit): number => (outcome === 'gone' ? depth : depth + 1);

type Row = { readonly etag: string | null; readonly lastModified: string | null; readonly hash: string | null };
const asKnown = (row: Row | null): Row | null =>
  row && { etag: row.etag, lastModified: row.lastModified, hash: row.hash };

type Seeding = {
  readonly source: WebSource;
  readonly site: Site;
  readonly frontier: StoredFrontier;
  readonly documents: SyncedDocuments;
};

async function seed(run: SyncRun, { source, site, frontier, documents }: Seeding): Promise<void> {
  const starts = await site.starts();
  if (starts.length === 0) throw new SourceError('unreadable', 'The sitemap lists no page of this path.');
  await frontier.add(starts.map((address) => ({ address, depth: 0 })));
  if (source.start === 'page')
    for await (const addresses of documents.addresses(run.scope, run.connection._id))
      await frontier.add(addresses.map((address) => ({ address, depth: 1 })));
  await run.advance({ found: frontier.size, isCut: frontier.isCut }, begun);
}

function checkStart(source: WebSource, { address, depth }: Found, { outcome, links }: Visit): void {
  const isStart = source.start === 'page' && depth === 0 && address === new URL(source.address).href;
  const failure = isStart && links.length === 0 ? failuresOfStart[outcome] : undefined;
  if (failure) throw new SourceError(failure, address);
}

/** Done to the documents as it is counted. */
async function apply(
  run: SyncRun,
  documents: SyncedDocuments,
  { visited: { address }, visit }: { readonly visited: Found; readonly visit: Visit },
  counting: (counted: Partial<SyncProgress>) => Doing,
): Promise<void> {
  const { scope, connection } = run;
  switch (visit.outcome) {
    case 'document': {
      const { content, ...found } = visit.document!;
      return documents.store(scope, connection, found, Readable.from([content]), counting({ fetched: 1 }));
    }
    case 'unchanged':
      return documents.keep(scope, connection, [address], counting({ unchanged: 1 }));
    case 'source-refused':
    case 'source-failed':
    case 'too-large':
      return documents.fail(
        scope,
        connection,
        { address, name: nameOf(address), mediaType: mediaTypeIn(null, new URL(address).pathname) ?? 'text/html' },
        visit.outcome,
        counting({ failed: 1 }),
      );
    default:
      return counting({})(async () => undefined);
  }
}
