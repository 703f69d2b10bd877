import type { Reloads } from '../reloads.ts';
import { chatConfig, chatSettings, type ChatSettings } from '../chat.config.ts';
import { chatBench } from './chat-bench.spec-setup.ts';
import type { Viewer } from '../conversations/index.ts';
import { DocumentsService, SyncedDocuments } from '../knowledge/documents/index.ts';
import { StorageQuota } from '../knowledge/documents/storing/storage-quota.ts';
import { ChatbotsRepository } from '../assistants/chatbots/index.ts';
import { Outbound } from '../assistants/models/outbound.ts';
import { ProvidersRepository } from '../assistants/models/providers.repository.ts';
import { aViewer } from './viewer.spec-setup.ts';
import { eraseConnection, syncConnections } from '../knowledge/connections/index.ts';
import { ConnectionEraser } from '../knowledge/syncing/connection-eraser.ts';
import { ConnectionPreview } from '../knowledge/syncing/connection-preview.ts';
import { ConnectionManagementService } from '../knowledge/connection-management/connection-management.service.ts';
import { SourceReader } from '../knowledge/syncing/source-reader.ts';
import { SourceSettings } from '../knowledge/syncing/source-settings.ts';
import { SyncRunner } from '../knowledge/syncing/sync-runner.ts';
import type { Audience, Connection, ConnectionSource, SyncProgress } from '@parley/contracts';
import { FolderBlobs } from '@parley/platform/blobs';
import { Sealer } from '@parley/platform/crypto';
import type { Flows } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { eventually, silentLogger, TestJobs } from '@parley/testing';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Answer = {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly etag?: string;
  /** Instead of all of this. */
  readonly act?: (request: IncomingMessage, response: ServerResponse) => void;
};

/** A web site on this machine: what stands in `pages` by path, all else is 404; and what was asked of it. */
export async function aSite() {
  const pages = new Map<string, Answer>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const page = pages.get(path);
    const isKnown = page?.etag !== undefined && request.headers['if-none-match'] === page.etag;
    asked.push(isKnown ? `${path} 304` : path);
    if (page?.act) return page.act(request, response);
    if (isKnown) return void response.writeHead(304).end();
    const { status = 200, type = 'text/html', body = '', headers = {}, etag } = page ?? { status: 404 };
    response.writeHead(status, { 'content-type': type, ...headers, ...(etag && { etag }) }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    pages,
    asked,
    origin,
    page: (path: string, text: string, ...links: readonly string[]) =>
      pages.set(path, { body: aPage(text, links), etag: `"${text}"` }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export const aPage = (text: string, links: readonly string[] = []): string =>
  `<title>${text}</title><p>${text}</p>${links.map((link) => `<a href="${link}">more</a>`).join('')}`;

/** Data connections on a store of their own, with processes that sync them. */
export async function syncBench() {
  const bench = await chatBench();
  const { mongo, work, clock, connectionRepository: connections, documentRows, retrieval } = bench;
  const blobs = await FolderBlobs.open(mkdtempSync(join(tmpdir(), 'parley-sync-')));
  const sealer = new Sealer(Buffer.alloc(32, 1));
  const allowed: string[] = [];
  const settings: ChatSettings = Object.assign(chatSettings(chatConfig.parse({}), { crawlPaceMs: 0 }), {
    outboundAllow: allowed,
  });
  const outbound = new Outbound(new ProvidersRepository(mongo), settings, clock, {} as Reloads);
  const quota = new StorageQuota(mongo, blobs, settings, work, clock);
  const parts = [documentRows, retrieval, bench.readable, connections, quota] as const;
  const documents = new DocumentsService(...parts, work, clock);
  const synced = new SyncedDocuments(documentRows, documents, retrieval, quota, work, clock);
  const sources = new SourceSettings(outbound, sealer);
  const reader = new SourceReader(synced, outbound, sources, settings, mongo);
  const chatbotRows = new ChatbotsRepository(mongo);
  const service = new ConnectionManagementService(
    connections,
    bench.readable,
    documents,
    synced,
    chatbotRows,
    sources,
    work,
    clock,
  );
  const failpoint = () => Promise.resolve();
  const platform = { logger: silentLogger(), failpoint } as unknown as Platform;
  const workers = new Set<TestJobs>();
  const find = async (viewer: Viewer, { id }: Pick<Connection, 'id'>): Promise<Connection> =>
    (await service.list(viewer as never)).items.find((each) => each.id === id)!;
  return {
    ...bench,
    blobs,
    chatbotRows,
    outbound,
    service,
    synced,
    preview: new ConnectionPreview(connections, outbound, sources, settings),
    /** Lets connections reach a server of this machine. */
    allow: (origin: string) => void allowed.push(new URL(origin).host),
    find,
    /** Starts a process that runs syncs; a sync makes room after `sliceMs`. */
    async aWorker(
      flows: Pick<Flows, 'of'> = { of: (orgId) => orgId },
      sliceMs = syncConnections.sliceMs,
    ): Promise<TestJobs> {
      const runner = new SyncRunner(connections, synced, reader, work, clock, platform);
      const jobs = new TestJobs(bench, flows)
        .with({ ...syncConnections, sliceMs }, runner)
        .with(eraseConnection, new ConnectionEraser(connections, synced));
      workers.add(jobs);
      await jobs.start();
      return jobs;
    },
    async end(): Promise<void> {
      for (const worker of workers) await worker.end();
      await outbound.onApplicationShutdown();
    },
    create: (
      viewer: Viewer,
      source: ConnectionSource,
      more: { audience?: Audience; secret?: string; schedule?: Connection['schedule'] } = {},
    ): Promise<Connection> =>
      service.create({
        ...viewer,
        body: {
          id: newId('connection'),
          name: 'Wiki',
          source,
          audience: { kind: 'everybody' },
          schedule: 'manual',
          ...more,
        },
      } as never),
    sync: (viewer: Viewer, { id }: Pick<Connection, 'id'>) =>
      service.sync({ ...viewer, params: { connectionId: id } } as never),
    /** The connection after its sync has ended, the given one of them. */
    async untilSynced(viewer: Viewer, connection: Pick<Connection, 'id'>, times = 1): Promise<Connection> {
      const row = () => connections.find(viewer.scope, connection.id);
      await eventually(
        async () => {
          const now = await row();
          return now!.run >= times && now!.syncState === 'idle';
        },
        'the sync has ended',
        100_000,
      );
      return find(viewer, connection);
    },
    /** Names of its documents with their states, in the order of the names. */
    async documentsOf({ scope }: Viewer, { id }: Pick<Connection, 'id'>): Promise<string[]> {
      const { items } = await documentRows.list(scope, [id], { limit: 100 });
      return items.map(({ name, status, failure }) => `${name}: ${failure ?? status}`).toSorted();
    },
    async typesOf({ scope }: Viewer, { id }: Pick<Connection, 'id'>): Promise<string[]> {
      const { items } = await documentRows.list(scope, [id], { limit: 100 });
      return items.map(({ mediaType }) => mediaType).toSorted();
    },
  };
}
export const web = (
  origin: string,
  more: Partial<Extract<ConnectionSource, { kind: 'web' }>> = {},
): ConnectionSource => ({
  kind: 'web',
  start: 'page',
  address: `${origin}/`,
  below: '/',
  depth: 3,
  pages: 100,
  ...more,
});
export const numbers = ({ lastSync }: Pick<Connection, 'lastSync'>): Partial<SyncProgress> | null => {
  if (!lastSync) return null;
  const { found, unchanged, fetched, removed, failed } = lastSync;
  return { found, unchanged, fetched, removed, failed };
};
export { aViewer };
