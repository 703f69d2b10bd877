import { Button } from '@mantine/core';
import type { Conversation, Project, ProjectId } from '@parley/contracts';
import { ChevronRight, Folder, FolderOpen, Pin, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { RunningMark } from '../../../../domain/conversation/running-mark.tsx';
import { UnreadDot } from '../../../../domain/conversation/unread-dot.tsx';
import { useProjects } from '../../../../domain/project/use-projects.ts';
import { LateTexts } from '../../../../lib/late-texts.tsx';
import { lazyPart } from '../../../../lib/lazy-part.tsx';
import { usePaths } from '../../../../lib/paths.ts';
import { useProblemText } from '../../../../lib/problem-texts.ts';
import { useRight } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { useList } from '../../../../lib/use-list.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import classes from './project-group.module.css';

const NewProjectDialog = lazyPart(async () => (await import('../../moving/new-project-dialog.tsx')).NewProjectDialog);

/** The projects that are shown before "Show all". */
const shownFirst = 8;

/** Lists the person's projects in the sidebar, pinned ones first and archived ones last. */
export const ProjectGroup = () => (
  <LateTexts part="project">
    <Projects />
  </LateTexts>
);

function Projects() {
  const { t } = useText();
  const [search] = useSearchParams();
  const current = search.get('project') as ProjectId | null;
  const { data, error, refetch } = useProjects();
  const archived = useList('GET /api/chat/projects', { within: { only: 'archived' } });
  const [showsAll, setShowsAll] = useState(false);
  const all = [...(data ?? [])].sort((a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false));
  const shown = showsAll ? all : all.filter(({ id }, at) => at < shownFirst || id === current);
  const isEmpty = data !== undefined && all.length === 0;
  return (
    <section>
      <Heading />
      {error && !data ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {isEmpty ? (
        <p className={classes.none}>{t({ id: 'project.list.empty', defaultMessage: 'No projects yet' })}</p>
      ) : null}
      <Rows items={shown} current={current} />
      {shown.length < all.length ? (
        <button type="button" className={classes.more} onClick={() => setShowsAll(true)}>
          {t(
            { id: 'project.list.all', defaultMessage: 'Show all {count, plural, one {# project} other {# projects}}' },
            { count: all.length },
          )}
        </button>
      ) : null}
      {archived.items && archived.items.length > 0 ? (
        <Archived items={archived.items} current={current} onMore={archived.edge.onMore} />
      ) : null}
    </section>
  );
}

function Heading() {
  const { t } = useText();
  const off = useActionOff();
  const mayCreate = useRight('chat:create');
  const [isNew, setNew] = useState(false);
  return (
    <div className={classes.head}>
      <h2 className={`p-meta ${classes.title}`}>{t({ id: 'project.list.title', defaultMessage: 'Projects' })}</h2>
      {mayCreate ? (
        <IconButton
          icon={Plus}
          size={24}
          label={t({ id: 'project.create.title', defaultMessage: 'New project' })}
          onClick={() => setNew(true)}
          {...off}
        />
      ) : null}
      {isNew ? <NewProjectDialog onClose={() => setNew(false)} /> : null}
    </div>
  );
}

type RowsProps = { items: readonly Project[]; current: ProjectId | null };

const Rows = (props: RowsProps) => (props.items.length === 0 ? null : <RowsWithMarks {...props} />);

/** Shows projects with marks from their latest chats. */
function RowsWithMarks({ items, current }: RowsProps) {
  const { items: latest } = useList('GET /api/chat/conversations', { staleTime: Infinity });
  return (
    <ul>
      {items.map((project) => (
        <Row
          key={project.id}
          project={project}
          isCurrent={project.id === current}
          chats={(latest ?? []).filter(({ projectId }) => projectId === project.id)}
        />
      ))}
    </ul>
  );
}

type RowProps = { project: Project; isCurrent: boolean; chats: readonly Conversation[] };

function Row({ project: { id, name, pinned, deleting }, isCurrent, chats }: RowProps) {
  const { t } = useText();
  const paths = usePaths();
  const Icon = isCurrent ? FolderOpen : Folder;
  return (
    <li>
      <Link
        to={paths.project(id)}
        className={classes.link}
        aria-current={isCurrent ? 'page' : undefined}
        data-deleting={deleting || undefined}
        title={name}
      >
        <Icon />
        <bdi className={`p-one-line ${classes.name}`}>{name}</bdi>
        <ChatsMark chats={chats} />
        {deleting ? (
          <span className={classes.aside}>{t({ id: 'project.list.deleting', defaultMessage: 'Deleting…' })}</span>
        ) : pinned ? (
          <span className={classes.aside}>
            <Pin size={14} />
            <span className="p-hidden">{t({ id: 'project.list.pinned', defaultMessage: 'Pinned' })}</span>
          </span>
        ) : null}
      </Link>
    </li>
  );
}

/** Marks a project that has a running answer or an unread chat. */
function ChatsMark({ chats }: { chats: readonly Conversation[] }) {
  const { t } = useText();
  if (chats.some(({ running }) => running)) return <RunningMark className={classes.aside} />;
  if (!chats.some(({ unread }) => unread)) return null;
  return (
    <span className={classes.aside}>
      <UnreadDot />
      <span className="p-hidden">{t({ id: 'shell.entry.unread', defaultMessage: 'Unread chats' })}</span>
    </span>
  );
}

type ArchivedProps = RowsProps & { onMore: (() => void) | null };

function Archived({ items, current, onMore }: ArchivedProps): ReactNode {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} className="p-mirror" />
        {t({ id: 'project.list.archived', defaultMessage: 'Archived projects' })}
      </button>
      {isOpen ? <Rows items={items} current={current} /> : null}
      {isOpen && onMore ? (
        <button type="button" className={classes.more} onClick={onMore}>
          {t({ id: 'project.list.more', defaultMessage: 'Show more archived projects' })}
        </button>
      ) : null}
    </>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  return (
    <div className={classes.failed} role="alert">
      <p>{describe(error).text}</p>
      <Button variant="default" size="xs" onClick={onRetry}>
        {t({ id: 'project.list.retry', defaultMessage: 'Load projects again' })}
      </Button>
    </div>
  );
}
