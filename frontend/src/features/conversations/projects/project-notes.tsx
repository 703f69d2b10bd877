import { Button } from '@mantine/core';
import type { Project } from '@parley/contracts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useProjectCommands } from './use-project-commands.tsx';
import classes from './projects.module.css';

/** Says above the chats that the project is being deleted, or is archived. */
export function ProjectNotes({ project }: { project: Project }) {
  const { t } = useText();
  const off = useActionOff();
  const mayUpdate = useRight('chat:update');
  const mayDelete = useRight('chat:delete');
  const { change, restore } = useProjectCommands(project);
  if (project.deleting)
    return (
      <div className={classes.note}>
        <Note
          kind="warning"
          actions={
            mayDelete ? (
              <Button variant="default" size="xs" onClick={() => void restore()} {...off}>
                {t({ id: 'project.note.restore', defaultMessage: 'Restore project' })}
              </Button>
            ) : null
          }
        >
          {t({
            id: 'project.note.deleting',
            defaultMessage: 'This project is being deleted. Its chats leave it one after the other.',
          })}
        </Note>
      </div>
    );
  if (!project.archived) return null;
  return (
    <div className={classes.note}>
      <Note
        kind="info"
        actions={
          mayUpdate ? (
            <Button variant="default" size="xs" onClick={() => void change({ archived: false })} {...off}>
              {t({ id: 'project.menu.unarchive', defaultMessage: 'Unarchive project' })}
            </Button>
          ) : null
        }
      >
        {t({
          id: 'project.note.archived',
          defaultMessage:
            'This project is archived. You can still use it; the sidebar lists it under archived projects.',
        })}
      </Note>
    </div>
  );
}
