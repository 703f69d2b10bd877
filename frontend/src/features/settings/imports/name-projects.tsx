import { TextInput } from '@mantine/core';
import type { ImportSource, ReportedProject } from '@parley/contracts';
import { useId } from 'react';
import { useText } from '../../../lib/text.ts';
import { Parts } from './parts.tsx';
import type { useProjectChoice } from './project-choice.ts';
import classes from './imports.module.css';

type Props = { readonly source: ImportSource | null; readonly projects: ReturnType<typeof useProjectChoice> };
const longestName = 100;

/** Lists the projects that an export brings, each with its name and whether it comes. */
export function NameProjects({ source, projects }: Props) {
  const { t } = useText();
  const title = useId();
  const { shown } = projects;
  const isHere = shown.every(({ state }) => state === 'here');
  const isNameless = shown.some(({ name, state }) => name === null && state !== 'here');
  return (
    <section className={classes.projects} aria-labelledby={title}>
      <h3 id={title} className={classes.title}>
        {t({ id: 'settings.import.projects.title', defaultMessage: 'Projects' })}
      </h3>
      <p className="p-sm p-quiet">
        {isNameless
          ? t({
              id: 'settings.import.projects.nameless',
              defaultMessage:
                'The export doesn’t have their names. Enter a name for each, or clear its checkbox to import the chats without it.',
            })
          : source === 'claude'
            ? t({
                id: 'settings.import.projects.claude',
                defaultMessage:
                  'Projects come with their instructions and files. Claude’s export doesn’t say which chats they have, so move those in later.',
              })
            : isHere
              ? t({
                  id: 'settings.import.projects.here',
                  defaultMessage: 'New chats go into the projects that an earlier import created.',
                })
              : t({
                  id: 'settings.import.projects.named',
                  defaultMessage: 'Clear the checkbox of a project to import its chats without it.',
                })}
      </p>
      <ul className={classes.list}>
        {shown.map((project) => (
          <li key={project.id} className={classes.project}>
            {project.state === 'here' ? <Here project={project} /> : <Named project={project} projects={projects} />}
            <span className={`p-xs p-quiet ${classes.of}`}>
              <About project={project} />
            </span>
            <Titles project={project} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Here({ project: { project, id } }: { readonly project: ReportedProject }) {
  return <bdi className={`${classes.name} ${classes.field}`}>{project?.name ?? id}</bdi>;
}

function Named({ project, projects }: { readonly project: ReportedProject; readonly projects: Props['projects'] }) {
  const { t } = useText();
  const choice = projects.choiceOf(project);
  const isMissing = projects.isMissing(project);
  return (
    <>
      <input
        type="checkbox"
        checked={choice.isKept}
        aria-label={t(
          { id: 'settings.import.project.keep', defaultMessage: 'Import {name} as a project' },
          { name: choice.name },
        )}
        onChange={({ currentTarget }) => projects.change(project.id, { ...choice, isKept: currentTarget.checked })}
      />
      <TextInput
        className={classes.field}
        size="sm"
        dir="auto"
        value={choice.name}
        maxLength={longestName}
        disabled={!choice.isKept}
        aria-label={t({ id: 'settings.import.project.name', defaultMessage: 'Project name' })}
        error={
          isMissing
            ? t({ id: 'settings.import.project.missing', defaultMessage: 'Enter a name, or clear the checkbox.' })
            : null
        }
        onChange={({ currentTarget }) => projects.change(project.id, { ...choice, name: currentTarget.value })}
      />
    </>
  );
}

/** Shows some chats of a project without a name, so that a person recognises it. */
function Titles({ project: { chatTitles = [], chats, deletedChats } }: { readonly project: ReportedProject }) {
  if (chatTitles.length === 0) return null;
  return (
    <span className={`p-xs p-quiet ${classes.titles}`}>
      <Parts of={[...chatTitles, chats + deletedChats > chatTitles.length ? '…' : null]} />
    </span>
  );
}

function About({ project }: { readonly project: ReportedProject }) {
  const { chats, deletedChats, hasInstructions, files = 0, state } = project;
  const { t } = useText();
  const count = chats > 0 ? chats : deletedChats;
  return (
    <Parts
      of={[
        count > 0
          ? t(
              { id: 'settings.import.project.chats', defaultMessage: '{count, plural, one {# chat} other {# chats}}' },
              { count },
            )
          : null,
        hasInstructions ? t({ id: 'settings.import.project.instructions', defaultMessage: 'instructions' }) : null,
        files > 0
          ? t(
              { id: 'settings.import.project.files', defaultMessage: '{files, plural, one {# file} other {# files}}' },
              { files },
            )
          : null,
        state === 'here' ? t({ id: 'settings.import.project.here', defaultMessage: 'already here' }) : null,
        state === 'deleted' ? t({ id: 'settings.import.project.deleted', defaultMessage: 'deleted here' }) : null,
      ]}
    />
  );
}
