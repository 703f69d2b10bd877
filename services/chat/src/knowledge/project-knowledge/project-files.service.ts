import { Injectable } from '@nestjs/common';
import type { addProjectFile, ChatFile, listProjectFiles, removeProjectFile } from '@parley/contracts';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import type { ResponseOf } from '@parley/protocol';
import { ProjectAccess } from '../../conversations/index.ts';
import { FileUses } from '../files/index.ts';
import { ProjectFiles } from './project-files.ts';

/** Adds a person's files to their projects, and takes them out. */
@Injectable()
export class ProjectFilesService {
  constructor(
    private readonly projects: ProjectAccess,
    private readonly files: ProjectFiles,
    private readonly uses: FileUses,
    private readonly work: Work,
  ) {}

  async list(input: InputOf<typeof listProjectFiles>): Promise<ResponseOf<typeof listProjectFiles>> {
    const { files = [] } = await this.projects.find(input, input.params.projectId);
    return { items: await this.uses.list(input, files) };
  }

  add(input: InputOf<typeof addProjectFile>): Promise<ChatFile> {
    return this.work.run(input.principal, (tx) => this.files.add(input, input.params, tx));
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
