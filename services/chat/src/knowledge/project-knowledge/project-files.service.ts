import { Injectable } from '@nestjs/common';
import {
  imageEndings,
  type FileId,
  mostProjectFiles,
  type addProjectFile,
  type ChatFile,
  type listProjectFiles,
  type removeProjectFile,
} from '@parley/contracts';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ProjectAccess } from '../../conversations/index.ts';
import { FileUses } from '../files/index.ts';

const imageTypes: readonly string[] = Object.values(imageEndings);

/** Adds a person's files to their projects, and takes them out. */
@Injectable()
export class ProjectFilesService {
  constructor(
    private readonly projects: ProjectAccess,
    private readonly uses: FileUses,
    private readonly work: Work,
  ) {}

  async list(input: InputOf<typeof listProjectFiles>): Promise<ResponseOf<typeof listProjectFiles>> {
    const { files = [] } = await this.projects.find(input, input.params.projectId);
    return { items: await this.uses.list(input, files) };
  }

  /** The file is held and the project has it in one transaction, so its erasing can't begin in between. */
  add(input: InputOf<typeof addProjectFile>): Promise<ChatFile> {
    const { scope, principal, params } = input;
    const { projectId: id, fileId } = params;
    return this.work.run(principal, async (tx) => {
      await this.projects.read(input, id, tx);
      await this.uses.hold(scope, { userId: principal.userId, ids: [fileId] }, tx);
      const [file] = await this.uses.list(input, [fileId], tx);
      if (!file) throw new Problem('chat.file-not-found');
      // No search finds an image: it has no passages.
      if (imageTypes.includes(file.mediaType)) throw new Problem('chat.document-type-not-supported');
      await this.projects.changeFiles(input, { id, to: (files) => withOneMore(files, fileId) }, tx);
      return file;
    });
  }

  async remove(input: InputOf<typeof removeProjectFile>): Promise<void> {
    const { scope, principal, params } = input;
    const { projectId: id, fileId } = params;
    await this.work.run(principal, async (tx) => {
      const isRemoved = await this.projects.changeFiles(
        input,
        { id, to: (files) => files.filter((one) => one !== fileId) },
        tx,
      );
      if (isRemoved) await this.uses.letGoLater(scope, [fileId], tx);
    });
  }
}

function withOneMore(files: readonly FileId[], id: FileId): FileId[] {
  if (files.includes(id)) return [...files];
  if (files.length >= mostProjectFiles) throw new Problem('chat.project-files-full');
  return [...files, id];
}
