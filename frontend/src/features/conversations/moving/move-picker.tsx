import { Button, TextInput } from '@mantine/core';
import type { Project, ProjectId } from '@parley/contracts';
import { Check, CircleSlash, Folder, FolderPlus, Search, type LucideIcon } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useProjects } from '../../../domain/project/use-projects.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { NameForm } from './name-form.tsx';
import classes from './moving.module.css';

type Props = {
  /** The project that all of these chats are in: null for none; undefined if they are in different ones. */
  current: ProjectId | null | undefined;
  onMove: (project: Pick<Project, 'id' | 'name'> | null) => void;
  onClose: () => void;
};

/** Asks where to move chats: to a project, a new one, or none. */
export const MovePicker = (props: Props) => (
  <LateTexts part="project">
    <Picker {...props} />
  </LateTexts>
);

function Picker({ current, onMove, onClose }: Props) {
  const { t } = useText();
  const [text, setText] = useState('');
  const [isNew, setNew] = useState(false);
  const move = (project: Pick<Project, 'id' | 'name'> | null) => {
    onMove(project);
    onClose();
  };
  return (
    <Dialog title={t({ id: 'project.move.title', defaultMessage: 'Move to project' })} onClose={onClose}>
      {isNew ? (
        <NameForm name={text} onCancel={() => setNew(false)} onCreated={move} />
      ) : (
        <Choice text={text} onText={setText} current={current} onChoose={move} onNew={() => setNew(true)} />
      )}
    </Dialog>
  );
}

type ChoiceProps = {
  text: string;
  onText: (text: string) => void;
  current: Props['current'];
  onChoose: Props['onMove'];
  onNew: () => void;
};

function Choice({ text, onText, current, onChoose, onNew }: ChoiceProps) {
  const { t } = useText();
  const mayCreate = useRight('chat:create');
  const { data, error, refetch } = useProjects();
  const words = text.trim().toLocaleLowerCase();
  const fitting = (data ?? [])
    .filter(({ name, deleting }) => !deleting && name.toLocaleLowerCase().includes(words))
    .sort((a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false));
  const label = t({ id: 'project.move.search', defaultMessage: 'Search projects' });
  return (
    <div className={classes.picker} data-picker>
      <TextInput
        type="search"
        dir="auto"
        data-autofocus
        aria-label={label}
        placeholder={label}
        leftSection={<Search />}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          goBetween(event);
          if (event.key === 'Enter' && !event.nativeEvent.isComposing && words !== '' && fitting[0])
            onChoose(fitting[0]);
        }}
      />
      <div className={classes.rows}>
        {error && !data ? <Failed error={error} onRetry={() => void refetch()} /> : null}
        {!data && !error ? (
          <SkeletonRows count={3} label={t({ id: 'project.list.loading', defaultMessage: 'Loading projects…' })} />
        ) : null}
        {fitting.map((project) => (
          <Row key={project.id} icon={Folder} isCurrent={project.id === current} onClick={() => onChoose(project)}>
            <bdi>{project.name}</bdi>
          </Row>
        ))}
        {data && fitting.length === 0 ? (
          <p className={`p-sm p-quiet ${classes.none}`}>
            {words === ''
              ? t({ id: 'project.list.empty', defaultMessage: 'No projects yet' })
              : t({ id: 'project.move.none', defaultMessage: 'No matching projects' })}
          </p>
        ) : null}
      </div>
      <div className={classes.others}>
        {mayCreate ? (
          <Row icon={FolderPlus} onClick={onNew}>
            {t({ id: 'project.move.new', defaultMessage: 'New project…' })}
          </Row>
        ) : null}
        <Row icon={CircleSlash} isCurrent={current === null} onClick={() => onChoose(null)}>
          {t({ id: 'project.move.nowhere', defaultMessage: 'No project' })}
        </Row>
      </div>
    </div>
  );
}

type RowProps = { icon: LucideIcon; isCurrent?: boolean; onClick: () => void; children: ReactNode };

function Row({ icon: Icon, isCurrent = false, onClick, children }: RowProps) {
  const { t } = useText();
  return (
    <button
      type="button"
      className={classes.row}
      aria-current={isCurrent || undefined}
      aria-disabled={isCurrent || undefined}
      title={isCurrent ? t({ id: 'project.move.here', defaultMessage: 'The chat is here now' }) : undefined}
      onClick={isCurrent ? undefined : onClick}
      onKeyDown={goBetween}
    >
      <Icon />
      <span className={`p-one-line ${classes.name}`}>{children}</span>
      {isCurrent ? <Check /> : null}
    </button>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  const again = (
    <Button variant="default" size="xs" onClick={onRetry}>
      {t({ id: 'project.list.retry', defaultMessage: 'Load projects again' })}
    </Button>
  );
  return (
    <Note kind="danger" isAlert actions={again}>
      {describe(error).text}
    </Note>
  );
}

/** Arrow keys move between the search and all rows. */
function goBetween(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const own = event.currentTarget;
  const all = [...(own.closest('[data-picker]')?.querySelectorAll<HTMLElement>('input, button') ?? [])];
  const next = all[all.indexOf(own) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
