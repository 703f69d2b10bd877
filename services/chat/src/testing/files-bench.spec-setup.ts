import type { ConversationId, FileId, ProjectId } from '@parley/contracts';
import type { Blobs } from '@parley/platform/blobs';
import type { Flows } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { Quotas } from '@parley/platform/quotas';
import { job } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { silentLogger, TestJobs } from '@parley/testing';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { messagesOf, tokensOf } from '../assistants/models/prompt.ts';
import { chatBench, wordsOnly } from './chat-bench.spec-setup.ts';
import type { ChatSettings } from '../chat.config.ts';
import { DraftsService, type FileReferences, type Viewer } from '../conversations/index.ts';
import { defaultConnectionIdOf } from '../knowledge/connections/index.ts';
import { DocumentReader } from '../knowledge/documents/reading/document-reader.ts';
import { newDocument } from '../knowledge/documents/rows/document.ts';
import { Readers } from '../knowledge/documents/reading/readers.ts';
import { readFile, readLongFile } from '../knowledge/documents/reading/reading-jobs.ts';
import { StorageQuota } from '../knowledge/documents/storing/storage-quota.ts';
import { FileEraser } from '../knowledge/files/file-eraser.ts';
import { checkFile } from '../knowledge/files/file-jobs.ts';
import { FileHolders } from '../knowledge/files/file-holders.ts';
import { FileReader } from '../knowledge/files/file-reader.ts';
import { blobKey, keepUnusedMs, keyStart, newFile, wholeText } from '../knowledge/files/file.ts';
import { FilesService } from '../knowledge/files/files.service.ts';
import { ImageReader } from '../knowledge/files/images/image-reader.ts';
import { FileSearch, storageSource } from '../knowledge/files/index.ts';
import type { Passage } from '../knowledge/retrieval/index.ts';

export { hugePng, noise } from '../knowledge/files/images/images.spec-setup.ts';

export const quotaBytes = 100_000;
type Upload = { readonly id?: FileId; readonly name?: string; readonly text?: string | Buffer };
type Where = ConversationId | ProjectId | 'new';

/** Files of chats whose bytes lie in memory, on a store of its own. */
export async function filesBench() {
  const bench = await chatBench();
  const { mongo, work, clock, doorbell, access, references, fileRows, filePassages } = bench;
  const kept = new Map<string, Buffer>();
  const blobs = {
    put: async (key: string, content: Readable, { maxBytes }: { maxBytes: number }) => {
      const bytes = await buffer(content);
      if (bytes.length > maxBytes) throw new Problem('platform.body-too-large');
      kept.set(key, bytes);
      return bytes.length;
    },
    get: async (key: string) => (kept.has(key) ? Readable.from([kept.get(key)!]) : null),
    delete: async (key: string) => void kept.delete(key),
  } as unknown as Blobs;
  const platform = { isAlone: true, logger: silentLogger(), doorbell } as unknown as Platform;
  const settings = { workers: 1, quickReadMs: 600_000, storagePerOrganisation: quotaBytes } as ChatSettings;
  const quota = new StorageQuota(mongo, blobs, settings, work, clock);
  const aService = (own = work) => new FilesService(fileRows, filePassages, references, access, blobs, quota, own);
  const service = aService();
  const eraser = new FileEraser(fileRows, filePassages, references, blobs, work, clock);
  const drafts = new DraftsService(mongo, access, bench.projects, clock, work);
  holdFiles({ ...bench, drafts });
  const everyOneItsOwn = {
    keyOf: (of: string, person: string) => ({ flow: of, organisation: of, person }),
  } as unknown as Flows;
  const get = blobs.get.bind(blobs);
  /** A process that reads documents and files of chats; `opened` are their keys in the order in which it opened them. */
  async function aProcess(open?: (key: string) => Readable | null) {
    const opened: string[] = [];
    blobs.get = async (key) => {
      opened.push(key);
      return open?.(key) ?? get(key);
    };
    const readers = new Readers(work, clock);
    const documents = [bench.documentRows, bench.documents, bench.retrieval, blobs, work, clock] as const;
    new DocumentReader(...documents, settings, platform, readers).onModuleInit();
    const images = new ImageReader(fileRows, quota, blobs, settings);
    new FileReader(fileRows, filePassages, quota, blobs, work, settings, platform, readers, images).onModuleInit();
    const jobs = new TestJobs(bench).with(readFile, readers).with(readLongFile, readers);
    await jobs.start();
    return { opened, end: () => jobs.end() };
  }
  /** A document that waits to be read; returns where its file is. */
  async function aDocument({ scope, principal }: Viewer): Promise<string> {
    const { orgId } = scope;
    const [id, connectionId] = [newId('document'), defaultConnectionIdOf(orgId)];
    const file = { id, orgId, connectionId, name: 'Plan.txt', mediaType: 'text/plain', bytes: 9 } as const;
    const row = newDocument(file, 'Somebody', clock.now(), { queuedBy: principal.userId });
    await work.run(principal, (tx) => bench.documentRows.create(scope, row, tx));
    return `documents/${orgId}/${id}`.toLowerCase();
  }
  const upload = (viewer: Viewer, { id = newId('file'), name = 'Plan.txt', text = 'Thirty herons.' }: Upload = {}) =>
    service.upload({ ...viewer, query: { id, name }, request: Readable.from([Buffer.from(text as string)]) } as never);
  /** As its reader does at its end. */
  async function read({ scope }: Viewer, id: FileId, passages: readonly Passage[]): Promise<void> {
    const row = (await fileRows.find(scope, id))!;
    const held = (await fileRows.claim(scope, row, new Date(clock.now().getTime() + 60_000)))!;
    await filePassages.replace(scope, { fileId: id, passages });
    const counts = { passageCount: passages.length, textBytes: 0, tokens: tokensOf(wholeText(passages)), pages: null };
    const end = { status: 'ready' as const, failure: null, ...counts };
    await work.run(job('tests'), (tx) => fileRows.finish(scope, held, end, tx));
  }
  return {
    ...bench,
    kept,
    blobs,
    quota,
    service,
    aService,
    drafts,
    settings,
    platform,
    flows: everyOneItsOwn,
    aProcess,
    aDocument,
    messagesOf,
    tokensOf,
    keepUnusedMs,
    search: new FileSearch(filePassages, wordsOnly),
    eraser,
    /** Checks all files whose time has come. */
    eraseFiles: () => new TestJobs(bench).with(checkFile, eraser).run(),
    upload,
    read,
    /** One that is ready, with a passage for each text. */
    async readyFile(viewer: Viewer, texts: readonly string[], name = 'Plan.txt'): Promise<FileId> {
      const { id } = await upload(viewer, { name });
      await read(
        viewer,
        id,
        texts.map((text) => ({ heading: null, text })),
      );
      return id;
    },
    list: async (viewer: Viewer, ...ids: FileId[]) =>
      (await service.list({ ...viewer, query: { ids: ids.join() } } as never)).items,
    retry: (viewer: Viewer, fileId: FileId) => service.retry({ ...viewer, params: { fileId } } as never),
    download: (viewer: Viewer, fileId: FileId) => service.download({ ...viewer, params: { fileId } } as never),
    image: (viewer: Viewer, fileId: FileId) => service.image({ ...viewer, params: { fileId } } as never),
    draft: (viewer: Viewer, body: object, where: Where = 'new') =>
      drafts.save({ ...viewer, params: { where }, body: { text: '', revision: 0, ...body } } as never),
    readDraft: (viewer: Viewer, where: Where = 'new') => drafts.read({ ...viewer, params: { where } } as never),
    dropDraft: (viewer: Viewer, where: Where = 'new') => drafts.drop({ ...viewer, params: { where } } as never),
    used: async ({ scope }: Viewer) => (await quota.read(scope)).usedBytes,
    /** What is there, counted again, and what the counter says. */
    recounted: ({ scope }: Viewer) =>
      new Quotas(mongo).recount(scope, storageSource, () => storageSource.count(mongo, scope)),
    /** What is left of a file. */
    left: async ({ scope }: Viewer, id: FileId) => ({
      row: (await fileRows.findAny(scope, id)) !== null,
      passages: await filePassages.count(scope, id),
      file: [...kept.keys()].some((key) => key.startsWith(keyStart({ _id: id, orgId: scope.orgId }))),
    }),
    /** Returns where a file is kept. */
    keyOf: async ({ scope }: Viewer, id: FileId) => blobKey((await fileRows.findAny(scope, id))!),
  };
}

type Holding = Pick<Awaited<ReturnType<typeof chatBench>>, 'keeping' | 'uses'> & {
  readonly drafts: DraftsService;
  readonly references: FileReferences;
};

/** From now on drafts and erased messages tell what they hold and let go. */
export const holdFiles = ({ drafts, keeping, references, uses }: Holding): void =>
  new FileHolders(drafts, keeping, references, uses).onModuleInit();

type Storing = Pick<Awaited<ReturnType<typeof chatBench>>, 'work' | 'clock' | 'fileRows' | 'filePassages'>;

/** The row of a file of one passage, as if it had been uploaded. */
export async function putFile(
  { work, clock, fileRows, filePassages }: Storing,
  { scope, principal }: Viewer,
  isRead = true,
): Promise<FileId> {
  const { orgId } = scope;
  const id = newId('file');
  const file = { id, orgId, userId: principal.userId, name: 'Plan.txt', mediaType: 'text/plain', bytes: 9 } as const;
  await work.run(principal, (tx) => fileRows.create(scope, newFile(file, clock.now()), tx));
  if (!isRead) return id;
  const held = (await fileRows.claim(scope, (await fileRows.find(scope, id))!, clock.now()))!;
  await filePassages.replace(scope, { fileId: id, passages: [{ heading: null, text: 'Herons.' }] });
  const end = { status: 'ready', failure: null, tokens: 2, passageCount: 1 } as const;
  await work.run(principal, (tx) => fileRows.finish(scope, held, end, tx));
  return id;
}
