import type { FileRef } from '../chat-node.ts';
import { cleanLine, mostProjectNameLength } from '../cleaning.ts';
import type { ReadProject } from '../read-chat.ts';

/** A project as a file of the export has it; `files` are those that it names, if they lie elsewhere in the export. */
export type DescribedProject = ReadProject & { readonly files?: readonly FileRef[] };

/**
 * Records a project that can't be read, by its name. Without a name, records that projects of the file may be missing.
 */
export type LostProject = (name?: string | null) => void;

/** Of one export. */
export const mostProjects = 1_000;

/** Maps ids to projects, in the order of the files. */
export class DescribedProjects {
  private readonly byId = new Map<string, ReadProject>();

  add({ name, chatbot, files: _files, ...project }: DescribedProject): void {
    if (this.byId.size >= mostProjects || this.byId.has(project.sourceId)) return;
    this.byId.set(project.sourceId, { ...project, name: projectName(name), chatbot: projectName(chatbot) });
  }

  get all(): readonly ReadProject[] {
    return [...this.byId.values()];
  }
}

export const projectName = (name: string | null): string | null => cleanLine(name ?? '', mostProjectNameLength) || null;
