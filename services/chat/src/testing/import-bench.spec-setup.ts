import { opening, type ReadingOf } from '../workspace/imports/chats.spec-setup.ts';
import { expect } from '@jest/globals';
import { getMembership, permissionsOf, type ConversationId, type ImportId } from '@parley/contracts';
import { FolderBlobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { Problem, type ProblemCode } from '@parley/protocol';
import { oneAttempt, silentLogger } from '@parley/testing';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ChatSettings } from '../chat.config.ts';
import { ChatbotsRepository } from '../assistants/chatbots/index.ts';
import {
  ImportedConversations,
  MessagePlaces,
  OwnProjects,
  ProjectAccess,
  type Viewer,
} from '../conversations/index.ts';
import { projectRows } from '../conversations/project.collection.ts';
import { newProject } from '../conversations/project.ts';
import { StorageQuota } from '../knowledge/documents/storing/storage-quota.ts';
import { ImportedFiles } from '../knowledge/files/index.ts';
import { ProjectFiles } from '../knowledge/project-knowledge/project-files.ts';
import { ProjectFilesService } from '../knowledge/project-knowledge/project-files.service.ts';
import { projectsOn } from './project-bench.spec-setup.ts';
import { treeBench } from './tree-bench.spec-setup.ts';
import { Additions } from '../workspace/imports/additions.ts';
import { AllChats } from '../workspace/imports/all-chats.ts';
import { CheckExport } from '../workspace/imports/check-export.ts';
import { ExportReader } from '../workspace/imports/export-reader.ts';
import { GrownChats } from '../workspace/imports/grown-chats.ts';
import { importChats } from '../workspace/imports/import-job.ts';
import { ImportExport } from '../workspace/imports/import-export.ts';
import { ImportLosses } from '../workspace/imports/import-losses.ts';
import { ImportProjects } from '../workspace/imports/import-projects.ts';
import { ImportStep } from '../workspace/imports/import-step.ts';
import { ImportedChats } from '../workspace/imports/imported-chats.ts';
import { ImportsRepository } from '../workspace/imports/imports.repository.ts';
import { ImportsService } from '../workspace/imports/imports.service.ts';
import { KnownProjects } from '../workspace/imports/known-projects.ts';
import { MessageFiles } from '../workspace/imports/message-files.ts';
import { MessageIds } from '../workspace/imports/message-ids.ts';
import { NamedChatbots } from '../workspace/imports/named-chatbots.ts';
import { ImportProjectFiles } from '../workspace/imports/project-files.ts';
import { NewChats } from '../workspace/imports/new-chats.ts';
import { StoredChats } from '../workspace/imports/stored-chats.ts';
import { Uploads } from '../workspace/imports/uploads.ts';

const jobs = jobScope('tests');
const jobActor = job('tests');

/** Imports on a store and a folder of their own; what is read of an upload are the chats that a test gives. */
export async function importBench({ importMax = 1_000_000, storage = 10_000_000 } = {}) {
  const bench = await treeBench();
  const { mongo, work, clock, conversations, messages, generations, paths, reading, uses, doorbell, fileRows } = bench;
  const blobs = await FolderBlobs.open(mkdtempSync(join(tmpdir(), 'parley-imports-')));
  const settings = { workers: 1, storagePerOrganisation: storage, importMax } as ChatSettings;
  const { org, peers } = membersOf();
  const platform = { isAlone: true, logger: silentLogger(), doorbell, peers } as unknown as Platform;
  const quota = new StorageQuota(mongo, blobs, settings, work, clock);
  const imports = new ImportsRepository(mongo);
  const losses = new ImportLosses(mongo);
  const chats = new ImportedChats(mongo, conversations);
  const grownRows = new ImportedConversations(mongo);
  const stored = new StoredChats(conversations, grownRows, messages, generations, paths, reading, uses);
  const ids = new MessageIds(messages);
  const importedFiles = new ImportedFiles(fileRows, quota, work, clock);
  const files = new MessageFiles(importedFiles);
  const access = new ProjectAccess(mongo);
  const ownProjects = new OwnProjects(mongo, clock);
  const known = new KnownProjects(mongo, ownProjects);
  const fresh = new NewChats(imports, chats, losses, files, stored, ids, access, work, clock);
  const named = new NamedChatbots(new ChatbotsRepository(mongo));
  const ofProjects = new ProjectFiles(access, uses);
  const projectFiles = new ImportProjectFiles(imports, known, importedFiles, ofProjects, losses, work, platform);
  const projects = new ImportProjects(
    imports,
    known,
    ownProjects,
    named,
    bench.readable,
    losses,
    projectFiles,
    work,
    platform,
  );
  const places = new MessagePlaces(conversations, messages, paths, work);
  const additions = new Additions(conversations, grownRows, paths, places, bench.open, reading, stored);
  const grown = new GrownChats(imports, chats, losses, files, additions, ids, work, clock);
  const given: ReadingOf = {
    source: 'chatgpt',
    chats: [],
    others: [],
    projects: [],
    projectFiles: [],
    failure: null,
    onChat: async () => undefined,
    onFile: async () => undefined,
  };
  const reader = { open: opening(given) } as unknown as ExportReader;
  const uploads = new Uploads(imports, losses, blobs, quota, settings, work, clock);
  const all = new AllChats(imports, grownRows, conversations, bench.keeping, work, clock);
  const service = new ImportsService(imports, uploads, losses, chats, ids, grownRows, all, work, clock);
  const checking = new CheckExport(imports, chats, known, losses, work, clock);
  const importing = new ImportExport(imports, chats, fresh, grown, projects, named, losses, work, platform);
  const aStep = () => new ImportStep(imports, reader, checking, importing, uploads, work, platform);
  const which = (viewer: Viewer, importId: ImportId, body: object = {}) =>
    ({ ...viewer, params: { importId }, body }) as never;
  /** One attempt at the job of this import, as if it were its time. */
  async function turn(viewer: Viewer, id: ImportId, step = aStep()): Promise<void> {
    await imports.own(viewer.scope, { id, userId: viewer.principal.userId });
    await oneAttempt(bench, { job: importChats, key: id, runner: step });
  }
  const acts = actsOf({ service, which });
  async function uploaded(viewer: Viewer, all: ReadingOf['chats']): Promise<ImportId> {
    const id = newId('import');
    await acts.begin(viewer, id, [3]);
    await acts.put(viewer, id, { number: 1, part: 1 }, Buffer.from('zip'));
    given.chats = all;
    return id;
  }
  /** Uploads and checks these chats. */
  async function checked(viewer: Viewer, all: ReadingOf['chats']): Promise<ImportId> {
    const id = await uploaded(viewer, all);
    await acts.check(viewer, id);
    await turn(viewer, id);
    return id;
  }
  async function imported(
    viewer: Viewer,
    all: ReadingOf['chats'],
    again = false,
    projects?: readonly object[],
  ): Promise<ImportId> {
    const id = await checked(viewer, all);
    await acts.start(viewer, id, again, projects);
    await turn(viewer, id);
    return id;
  }
  const conversationsOf = async (viewer: Viewer, only?: 'pinned' | 'archived') =>
    (await bench.keeping.list({ ...viewer, query: { limit: 50, only } } as never)).items;
  const pathOf = (viewer: Viewer, conversationId: ConversationId, query: object = {}) =>
    bench.listing.list({ ...viewer, params: { conversationId }, query: { limit: 50, ...query } } as never);
  return {
    ...bench,
    ...acts,
    org,
    uploaded,
    checked,
    imported,
    conversationsOf,
    pathOf,
    textsOf: async (viewer: Viewer, id: ConversationId, query: object = {}) =>
      (await pathOf(viewer, id, query)).items.map(({ text }) => text),
    async onlyOne(viewer: Viewer) {
      const all = await conversationsOf(viewer);
      expect(all).toHaveLength(1);
      return all[0]!;
    },
    blobs,
    quota,
    imports,
    uploads,
    service,
    given,
    chats,
    ownProjects,
    projectsService: projectsOn(bench).service,
    fillProjects: ({ scope, principal: { userId: ownerId } }: Viewer, count: number) =>
      work.run(jobActor, async (tx) => {
        for (let at = 1; at <= count; at += 1) {
          const one = { orgId: scope.orgId, ownerId, id: newId('project'), name: `Old ${at}` };
          await mongo.rows(projectRows).within(scope, tx).insert(newProject(one, clock.now()));
        }
      }),
    all,
    losses,
    projectFilesService: new ProjectFilesService(access, ofProjects, uses, work),
    fresh,
    stored,
    importing,
    aStep,
    turn,
    jobs,
    used: async ({ scope }: Viewer) => (await quota.read(scope)).usedBytes,
    /** Something else that an organisation stores. */
    use: ({ scope }: Viewer, by: number) =>
      work.run(jobActor, (tx) => new Quotas(mongo).add(scope, tx, { quota: 'storage', by, isBounded: false })),
  };
}

/** Answers for org, the same for everybody. */
function membersOf() {
  const org = { rights: permissionsOf('member'), accessEnd: null as Date | null, refusal: null as ProblemCode | null };
  const call = async (route: unknown) => {
    if (route !== getMembership) throw new Problem('platform.unavailable');
    if (org.refusal) throw new Problem(org.refusal);
    const accessEnd = org.accessEnd && { at: org.accessEnd.toISOString(), reason: '' };
    return { permissions: org.rights, rightsVersion: 1, role: 'member', groupIds: [], accessEnd };
  };
  return { org, peers: { call } };
}

type Acting = {
  readonly service: ImportsService;
  readonly which: (viewer: Viewer, importId: ImportId, body?: object) => never;
};

/** What a person does with imports. */
const actsOf = ({ service, which }: Acting) => ({
  begin: (viewer: Viewer, id: ImportId, sizes: readonly number[]) =>
    service.create({
      ...viewer,
      body: { id, files: sizes.map((bytes, at) => ({ name: `part-${at + 1}.zip`, bytes })) },
    } as never),
  put: (viewer: Viewer, id: ImportId, part: { number: number; part: number }, content: Buffer) =>
    service.uploadPart({
      ...viewer,
      params: { importId: id, ...part },
      request: Readable.from(content.length > 0 ? [content] : []),
    } as never),
  read: (viewer: Viewer, id: ImportId) => service.read(which(viewer, id)),
  check: (viewer: Viewer, id: ImportId) => service.check(which(viewer, id)),
  start: (viewer: Viewer, id: ImportId, again = false, projects?: readonly object[]) =>
    service.start(which(viewer, id, { again, ...(projects && { projects }) })),
  pause: (viewer: Viewer, id: ImportId) => service.pause(which(viewer, id)),
  resume: (viewer: Viewer, id: ImportId) => service.resume(which(viewer, id)),
  stop: (viewer: Viewer, id: ImportId) => service.stop(which(viewer, id)),
  drop: (viewer: Viewer, id: ImportId) => service.delete(which(viewer, id)),
  lossesOf: async (viewer: Viewer, id: ImportId) =>
    (await service.listLosses({ ...viewer, params: { importId: id }, query: { limit: 100 } } as never)).items,
});
