import { Injectable } from '@nestjs/common';
import { imageEndings, mostProjectFiles, type ChatFile, type FileId, type ProjectId } from '@parley/contracts';
import type { Transaction } from '@parley/platform/mongo';
import { Problem } from '@parley/protocol';
import { ProjectAccess, type Owner } from '../../conversations/index.ts';
import { FileUses } from '../files/index.ts';

const imageTypes: readonly string[] = Object.values(imageEndings);

/** Adds files to projects of their person. */
@Injectable()
export class ProjectFiles {
  constructor(
    private readonly projects: ProjectAccess,
    private readonly uses: FileUses,
  ) {}

  /**
   * The file is held and the project has it in one transaction, so its erasing can't begin in between. Throws
   * `chat.project-files-full`; idempotent.
   */
  async add(
    owner: Owner,
    { projectId, fileId }: { readonly projectId: ProjectId; readonly fileId: FileId },
    tx: Transaction,
  ): Promise<ChatFile> {
    const { scope, principal } = owner;
    await this.projects.read(owner, projectId, tx);
    await this.uses.hold(scope, { userId: principal.userId, ids: [fileId] }, tx);
    const [file] = await this.uses.list(owner, [fileId], tx);
    if (!file) throw new Problem('chat.file-not-found');
    // No search finds an image: it has no passages.
    if (imageTypes.includes(file.mediaType)) throw new Problem('chat.document-type-not-supported');
    await this.projects.changeFiles(owner, { id: projectId, to: (files) => withOneMore(files, fileId) }, tx);
    return file;
  }
}

function withOneMore(files: readonly FileId[], id: FileId): FileId[] {
  if (files.includes(id)) return [...files];
  if (files.length >= mostProjectFiles) throw new Problem('chat.project-files-full');
  return [...files, id];
}
