import type { ConversationId, ExportId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { Quotas } from '@parley/platform/quotas';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import { silentLogger, TestJobs } from '@parley/testing';
import { unzipSync } from 'fflate';
import { buffer, text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { ShownMessages } from '../../answers/message-search/index.ts';
import { ChatbotsRepository } from '../../assistants/chatbots/index.ts';
import { ConversationLists, OwnProjects, type Viewer } from '../../conversations/index.ts';
import { filesBench } from '../../testing/files-bench.spec-setup.ts';
import { StoredFiles } from '../../knowledge/files/index.ts';
import { ArchiveContent } from './archive-content.ts';
import { ArchiveProjects } from './archive-projects.ts';
import { ChatReader } from './chat-reader.ts';
import { ExportAttempt } from './export-attempt.ts';
import { exportedAll, exportedChat, type ExportedChat } from './export-format.ts';
import { eraseExport, writeExport } from './export-jobs.ts';
import { ExportEraser } from './export-eraser.ts';
import { exportRows } from './export.collection.ts';
import { ExportsRepository } from './exports.repository.ts';
import { ExportsService } from './exports.service.ts';
import { OneChatService } from './one-chat.service.ts';
import { storageWithExports } from './storage-source.ts';

export type Unpacked = {
  readonly names: string[];
  readonly all: ReturnType<typeof exportedAll.parse>;
  readonly chats: ExportedChat[];
  text(name: string): string;
};

/** Chats, files and exports of people, on a store of its own. `rights` answers for org. */
export async function exportsBench() {
  const bench = await filesBench();
  const { mongo, access, messages, paths, open, generations, references, fileRows, blobs } = bench;
  const { quota, work, clock, outbox } = bench;
  const rights = { of: (_orgId: OrgId, _userId: UserId): readonly string[] | Problem | Error => ['chat:read'] };
  const call = async (_route: unknown, { params }: { params: { orgId: OrgId; userId: UserId } }) => {
    const permissions = rights.of(params.orgId, params.userId);
    if (permissions instanceof Error) throw permissions;
    return { ...params, permissions, rightsVersion: 1, accessEnd: null };
  };
  const platform = { isAlone: true, logger: silentLogger(), peers: { call } } as unknown as Platform;
  const rows = new ExportsRepository(mongo);
  const projects = new OwnProjects(mongo, clock);
  const reader = new ChatReader(messages, paths, open, new ShownMessages(generations), references, projects);
  const content = new ArchiveContent(
    new ConversationLists(mongo),
    access,
    reader,
    new StoredFiles(fileRows, blobs),
    new ArchiveProjects(projects, new ChatbotsRepository(mongo), bench.readable, bench.uses),
    clock,
  );
  const eraser = new ExportEraser(rows, blobs, work, clock);
  const service = new ExportsService(rows, eraser, outbox.jobs.rows, quota, blobs, work, clock);
  const one = new OneChatService(access, reader, clock);
  const anAttempt = () => new ExportAttempt(rows, content, quota, blobs, work, clock, platform);
  const aProcess = (attempt = anAttempt()) => new TestJobs(bench).with(writeExport, attempt).with(eraseExport, eraser);
  const find = (viewer: Viewer, id: ExportId) => rows.find(viewer.scope, { id, userId: viewer.principal.userId });
  /** Runs all jobs that are due. */
  const run = () => aProcess().run();
  const create = (viewer: Viewer, id = newId('export')) => service.create({ ...viewer, body: { id } } as never);
  const download = (viewer: Viewer, exportId: ExportId) =>
    service.download({ ...viewer, params: { exportId }, query: {} } as never);
  return {
    ...bench,
    platform,
    rights,
    rows,
    reader,
    content,
    anAttempt,
    aProcess,
    create,
    run,
    find,
    download,
    list: async (viewer: Viewer) =>
      (await service.list({ ...viewer, query: { limit: 10 } } as never)).items.map(({ id, ...more }) => ({
        id,
        ...more,
      })),
    remove: (viewer: Viewer, exportId: ExportId) => service.delete({ ...viewer, params: { exportId } } as never),
    /** A chat with one question that was answered. */
    async aChat(viewer: Viewer, more: Parameters<typeof bench.ask>[1] = {}, answer = 'Three quiet herons.') {
      const asked = await bench.ask(viewer, more);
      await bench.end(viewer, asked, answer);
      return asked;
    },
    exportOne: async (viewer: Viewer, conversationId: ConversationId, as: 'markdown' | 'json', leaf?: MessageId) => {
      const file = await one.download({ ...viewer, params: { conversationId }, query: { as, leaf } } as never);
      return { name: file.name, text: await text(file.content as Readable) };
    },
    /** Begins, writes and unpacks one. */
    async exported(viewer: Viewer) {
      const { id } = await create(viewer);
      await run();
      return { id, ...unpacked(await buffer((await download(viewer, id)).content as Readable)) };
    },
    blobsOf: ({ scope }: Viewer) =>
      [...bench.kept.keys()].filter((key) => key.startsWith(`exports/${scope.orgId}/`.toLowerCase())),
    rowsLeft: ({ scope }: Viewer) => mongo.rows(exportRows).within(scope).count({}),
    recountedAll: ({ scope }: Viewer) =>
      new Quotas(mongo).recount(scope, storageWithExports, () => storageWithExports.count(mongo, scope)),
  };
}

/** What a reader that knows nothing of the writer finds, held against the documented format. */
export function unpacked(zip: Uint8Array): Unpacked {
  const entries = unzipSync(zip);
  const names = Object.keys(entries);
  const read = (name: string): string => Buffer.from(entries[name]!).toString();
  const chats = names.filter((name) => /^chats\/cnv_[^/]+\.json$/.test(name));
  return {
    names,
    all: exportedAll.parse(JSON.parse(read('parley-export.json'))),
    chats: chats.map((name) => exportedChat.parse(JSON.parse(read(name)))),
    text: read,
  };
}
