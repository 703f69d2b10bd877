import { Button } from '@mantine/core';
import type { ProjectId } from '@parley/contracts';
import { FolderOpen, FolderX, Plus, Settings } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { isProblem } from '../../../lib/http.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { runShortcut } from '../../../lib/shortcuts.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LivePage, Page } from '../../../ui/page.tsx';
import { SideBySide } from '../../../ui/side-panel.tsx';
import { SkeletonRows, StateView } from '../../../ui/state-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { RenameField } from '../list/rename-field.tsx';
import { longestName } from '../moving/name-form.tsx';
import { useProject, type CountedProject } from '../state/projects.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { ProjectCards } from './project-cards.tsx';
import { ProjectChats } from './project-chats.tsx';
import { ProjectComposer } from './project-composer.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { ProjectNotes } from './project-notes.tsx';
import { ProjectSettings } from './project-settings.tsx';
import { useProjectCommands } from './use-project-commands.tsx';
import classes from './projects.module.css';

/** Shows a project: what its chats have in common, a composer for a new chat, and its chats. */
export const ProjectPage = (props: { projectId: ProjectId }) => (
  <LateTexts part="project">
    <Shown {...props} />
  </LateTexts>
);

function Shown({ projectId }: { projectId: ProjectId }) {
  const { t } = useText();
  const { data, error, refetch } = useProject(projectId);
  const title = t({ id: 'project.page.untitled', defaultMessage: 'Project' });
  const wasDeleted = isProblem(error, 'chat.project-deleted');
  if (wasDeleted || isProblem(error, 'chat.project-not-found') || isProblem(error, 'platform.invalid-request'))
    return <Gone projectId={projectId} wasDeleted={wasDeleted} />;
  if (data) return <Project project={data} />;
  return (
    <Page title={title}>
      {error ? (
        <FailureView
          title={t({ id: 'project.page.failed', defaultMessage: 'The project could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows label={t({ id: 'project.page.loading', defaultMessage: 'Loading the project…' })} />
      )}
    </Page>
  );
}

/** Stores in the URL if the settings are open beside the chats. */
function useSettingsOpen() {
  const [search, setSearch] = useSearchParams();
  const setOpen = (isOpen: boolean) =>
    setSearch(
      (before) => {
        if (isOpen) before.set('settings', 'open');
        else before.delete('settings');
        return before;
      },
      { replace: true },
    );
  return [search.get('settings') === 'open', setOpen] as const;
}

function Project({ project }: { project: CountedProject }) {
  const { t } = useText();
  const off = useActionOff();
  const mayAsk = useRight('chat:create');
  const mayUpdate = useRight('chat:update');
  const { change } = useProjectCommands(project);
  const [isOpen, setOpen] = useSettingsOpen();
  const [isRenaming, setRenaming] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const canChange = mayUpdate && !project.deleting;
  const canAsk = mayAsk && !project.deleting;
  const panel = isOpen && canChange;
  const renamed = (name: string | null) => {
    setRenaming(false);
    if (name) void change({ name });
  };
  const actions = (
    <>
      {canChange ? (
        <IconButton
          icon={Settings}
          label={t({ id: 'project.settings.title', defaultMessage: 'Project settings' })}
          aria-pressed={isOpen}
          data-open={isOpen || undefined}
          className={classes.gear}
          onClick={() => setOpen(!isOpen)}
        />
      ) : null}
      {canChange ? (
        <ProjectMenu project={project} onRename={() => setRenaming(true)} onDelete={() => setDeleting(true)} />
      ) : null}
      {canAsk ? (
        <Button
          variant={panel ? 'default' : 'filled'}
          leftSection={<Plus />}
          onClick={() => runShortcut('compose')}
          {...off}
        >
          {t({ id: 'project.page.newChat', defaultMessage: 'New chat in project' })}
        </Button>
      ) : null}
    </>
  );
  return (
    <LivePage
      before={<FolderOpen size={20} className={classes.icon} />}
      title={
        isRenaming ? (
          <RenameField isHeader title={project.name} longest={longestName} onDone={renamed} />
        ) : (
          <bdi>{project.name}</bdi>
        )
      }
      isTitleWide={isRenaming}
      documentTitle={project.name}
      actions={actions}
    >
      <SideBySide
        panel={
          panel ? (
            <ProjectSettings project={project} onDelete={() => setDeleting(true)} onClose={() => setOpen(false)} />
          ) : null
        }
      >
        <div className={classes.page}>
          <ProjectNotes project={project} />
          {panel ? null : <ProjectCards project={project} onEdit={canChange ? () => setOpen(true) : null} />}
          {canAsk ? <ProjectComposer project={project} /> : null}
          <ProjectChats project={project} isNarrow={panel} />
        </div>
      </SideBySide>
      {isDeleting ? <DeleteDialog project={project} onClose={() => setDeleting(false)} /> : null}
    </LivePage>
  );
}

function Gone({ projectId, wasDeleted }: { projectId: ProjectId; wasDeleted: boolean }) {
  const { t } = useText();
  const paths = usePaths();
  const off = useActionOff();
  const mayRestore = useRight('chat:delete');
  const { restore } = useProjectCommands({ id: projectId });
  const title = wasDeleted
    ? t({ id: 'project.gone.deleted', defaultMessage: 'Project deleted' })
    : t({ id: 'project.gone.title', defaultMessage: 'Project not found' });
  const canRestore = wasDeleted && mayRestore;
  return (
    <Page title={t({ id: 'project.page.untitled', defaultMessage: 'Project' })} documentTitle={title}>
      <StateView
        icon={FolderX}
        title={title}
        actions={
          <>
            {canRestore ? (
              <Button size="xs" onClick={() => void restore()} {...off}>
                {t({ id: 'project.gone.restore', defaultMessage: 'Restore project' })}
              </Button>
            ) : null}
            <Button component={Link} to={paths.to('chat')} variant={canRestore ? 'default' : 'filled'} size="xs">
              {t({ id: 'project.gone.start', defaultMessage: 'Start a new chat' })}
            </Button>
          </>
        }
      >
        {wasDeleted
          ? t({
              id: 'project.gone.deletedText',
              defaultMessage: 'You can restore it for 7 days. Its chats come back into it.',
            })
          : t({
              id: 'project.gone.text',
              defaultMessage:
                'It was deleted, the link is incomplete, or it belongs to another person or organisation. Check the organisation in the corner.',
            })}
      </StateView>
    </Page>
  );
}
