import { Injectable } from '@nestjs/common';
import { ChatbotsRepository } from '../../assistants/chatbots/index.ts';
import { OwnProjects, type Viewer } from '../../conversations/index.ts';
import { ReadableConnections } from '../../knowledge/connections/index.ts';
import { FileUses } from '../../knowledge/files/index.ts';
import type { FilePaths } from './chat-reader.ts';
import type { ExportedProjects } from './export-format.ts';

type ProjectRow = Awaited<ReturnType<OwnProjects['list']>>[number];
/** Names chatbots and connections by their ids. */
type Names = Readonly<Record<'chatbots' | 'connections', ReadonlyMap<string, string>>>;

/** Reads the projects of a person as an archive has them. */
@Injectable()
export class ArchiveProjects {
  constructor(
    private readonly projects: OwnProjects,
    private readonly chatbots: ChatbotsRepository,
    private readonly connections: ReadableConnections,
    private readonly uses: FileUses,
  ) {}

  /** The files of all of them. */
  async filesOf({ scope, principal }: Viewer): Promise<ReadonlySet<NonNullable<ProjectRow['files']>[number]>> {
    const rows = await this.projects.list(scope, principal.userId);
    return new Set(rows.flatMap(({ files = [] }) => files));
  }

  async list(viewer: Viewer, paths: FilePaths): Promise<ExportedProjects['projects']> {
    const { scope, principal } = viewer;
    const rows = await this.projects.list(scope, principal.userId);
    if (rows.length === 0) return [];
    const names = await this.namesFor(viewer);
    const exported: ExportedProjects['projects'] = [];
    for (const row of rows) exported.push(await this.exported(viewer, { row, names, paths }));
    return exported;
  }

  private async exported(
    viewer: Viewer,
    { row, names, paths }: { readonly row: ProjectRow; readonly names: Names; readonly paths: FilePaths },
  ): Promise<ExportedProjects['projects'][number]> {
    const chatbot = row.chatbotId === null ? undefined : names.chatbots.get(row.chatbotId);
    const connections = (row.connectionIds ?? []).flatMap((id) => names.connections.get(id) ?? []);
    const files = await this.uses.list(viewer, row.files ?? []);
    return {
      id: row._id,
      name: row.name,
      instructions: row.instructions,
      ...(chatbot !== undefined && { chatbot }),
      ...(connections.length > 0 && { connections }),
      pinned: row.isPinned,
      archived: row.isArchived,
      createdAt: row.createdAt.toISOString(),
      ...(files.length > 0 && {
        files: files.map(({ id, name, mediaType, bytes }) => ({
          id,
          name,
          mediaType,
          bytes,
          path: paths.get(id) ?? null,
        })),
      }),
    };
  }

  /** Connections that the person can't read any more have no name for them. */
  private async namesFor({ scope, principal }: Viewer): Promise<Names> {
    const chatbots = await this.chatbots.list(scope);
    const readable = await this.connections.named(scope, principal);
    return {
      chatbots: new Map(chatbots.flatMap(({ _id, published }) => (published ? [[_id, published.content.name]] : []))),
      connections: new Map(readable.map(({ id, name }) => [id, name])),
    };
  }
}
