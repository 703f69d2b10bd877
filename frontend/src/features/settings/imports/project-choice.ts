import type { ChatImport, ReportedProject } from '@parley/contracts';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { sourceNames } from './import-words.ts';

export type ProjectChoice = { readonly isKept: boolean; readonly name: string };
type Choices = Readonly<Record<string, ProjectChoice>>;

/** Keeps what a person decides about the projects of an export: which are imported, and their names. */
export function useProjectChoice({ report, source }: Pick<ChatImport, 'report' | 'source'>, again: boolean) {
  const { t } = useText();
  const [changed, setChanged] = useState<Choices>({});
  const [isTried, setTried] = useState(false);
  const all = report?.projects ?? [];
  const unnamed = all.filter(({ name, state }) => name === null && state !== 'here');
  const choiceOf = (project: ReportedProject): ProjectChoice =>
    changed[project.id] ?? {
      isKept: project.state !== 'deleted',
      name:
        project.name ??
        t(
          { id: 'settings.import.project.default', defaultMessage: '{product} project {number, number}' },
          { product: source ? sourceNames[source] : '', number: unnamed.indexOf(project) + 1 },
        ),
    };
  const shown = all.filter(({ chats, deletedChats }) => chats > 0 || deletedChats === 0 || again);
  const isBlank = (project: ReportedProject): boolean => {
    const { isKept, name } = choiceOf(project);
    return project.state !== 'here' && isKept && name.trim() === '';
  };
  return {
    shown,
    choiceOf,
    change: (id: string, choice: ProjectChoice) => setChanged({ ...changed, [id]: choice }),
    /** New ones that come, also where no chat does. */
    made: shown.filter((project) => project.state !== 'here' && choiceOf(project).isKept).length,
    isMissing: (project: ReportedProject): boolean => isTried && isBlank(project),
    /** False where a name is missing: the fields say so then. */
    isComplete: (): boolean => {
      setTried(true);
      return !shown.some(isBlank);
    },
    /** As `startImport` takes them; what isn't shown doesn't come. */
    wanted: all
      .filter(({ state }) => state !== 'here')
      .map((project) => {
        const { isKept, name } = choiceOf(project);
        return { id: project.id, name: isKept && shown.includes(project) ? name.trim() : null };
      }),
  };
}
