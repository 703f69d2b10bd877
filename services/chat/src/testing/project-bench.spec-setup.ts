import type { ConversationId, FileId, ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { TestJobs } from '@parley/testing';
import { ConversationMoves } from '../conversations/conversation-moves.ts';
import { ProjectsService, type Viewer } from '../conversations/index.ts';
import { ProjectChats } from '../conversations/project-chats.ts';
import { ProjectEraser } from '../conversations/project-eraser.ts';
import { eraseProject, moveProjectChats } from '../conversations/project-jobs.ts';
import { NamedByProjects } from '../knowledge/project-knowledge/named-by-projects.ts';
import { ProjectFiles } from '../knowledge/project-knowledge/project-files.ts';
import { ProjectFilesService } from '../knowledge/project-knowledge/project-files.service.ts';
import { filesBench } from './files-bench.spec-setup.ts';

type Bench = Pick<
  Awaited<ReturnType<typeof filesBench>>,
  'mongo' | 'work' | 'clock' | 'projects' | 'conversations' | 'keeping'
>;

/** The routes of projects, and what moves their chats. */
export function projectsOn({ mongo, work, clock, projects, conversations, keeping }: Bench) {
  const runner = new ProjectChats(mongo, conversations, keeping, work, clock);
  return {
    service: new ProjectsService(mongo, projects, runner, work, clock),
    chats: { job: moveProjectChats, runner },
  };
}

/** Projects with their chats and files, whose jobs run when a spec says so. */
export async function projectBench() {
  const bench = await filesBench();
  const { mongo, work, clock, projects: doors, drafts } = bench;
  const { service, chats } = projectsOn(bench);
  new NamedByProjects(service, bench.chatbots, bench.readable).onModuleInit();
  const files = new ProjectFilesService(doors, new ProjectFiles(doors, bench.uses), bench.uses, work);
  const moves = new ConversationMoves(mongo, doors, work);
  const eraser = new ProjectEraser(mongo, drafts, work);
  return {
    ...bench,
    /** Moves chats out of deleted projects and back, and erases projects whose time has come. */
    runJobs: () => new TestJobs(bench).with(chats.job, chats.runner).with(eraseProject, eraser).run(),
    /** Erases files that nothing has used for a day. */
    async eraseUnused(): Promise<void> {
      clock.advance(bench.keepUnusedMs);
      await bench.eraseFiles();
    },
    create: async (viewer: Viewer): Promise<ProjectId> =>
      (await service.create({ ...viewer, body: { id: newId('project'), name: 'Substation 14 refit' } } as never)).id,
    readProject: (viewer: Viewer, projectId: ProjectId) => service.read({ ...viewer, params: { projectId } } as never),
    /** Changes it as it is now. */
    async update(viewer: Viewer, projectId: ProjectId, body: object) {
      const { revision } = await service.read({ ...viewer, params: { projectId } } as never);
      return service.update({ ...viewer, params: { projectId }, body: { revision, ...body } } as never);
    },
    listProjects: (viewer: Viewer, query: object) => service.list({ ...viewer, query } as never),
    removeProject: (viewer: Viewer, projectId: ProjectId, query: object = {}) =>
      service.delete({ ...viewer, params: { projectId }, query } as never),
    restoreProject: (viewer: Viewer, projectId: ProjectId) =>
      service.restore({ ...viewer, params: { projectId } } as never),
    addFile: (viewer: Viewer, projectId: ProjectId, fileId: FileId) =>
      files.add({ ...viewer, params: { projectId, fileId } } as never),
    removeFile: (viewer: Viewer, projectId: ProjectId, fileId: FileId) =>
      files.remove({ ...viewer, params: { projectId, fileId } } as never),
    filesOf: async (viewer: Viewer, projectId: ProjectId) =>
      (await files.list({ ...viewer, params: { projectId } } as never)).items,
    /** Returns why the chat stays where it is; null where it was moved. */
    move: async (viewer: Viewer, conversationId: ConversationId, projectId: ProjectId | null) =>
      (await moves.moveMany({ ...viewer, body: { conversationIds: [conversationId], projectId } } as never)).results[0]!
        .code,
  };
}
