import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import type { CountedProject } from '../state/projects.ts';
import { useProjectCommands, type WhatOfChats } from './use-project-commands.tsx';
import classes from './projects.module.css';

/** Deletes a project and keeps its chats, unless the person chooses to delete them as well. */
export function DeleteDialog({ project, onClose }: { project: CountedProject; onClose: () => void }) {
  const { t } = useText();
  const [chats, setChats] = useState<WhatOfChats>('keep');
  const { remove } = useProjectCommands(project);
  const deleting = useMutation({ mutationFn: () => remove(chats), onSuccess: onClose });
  // The count ends at 1,000, because the server counts no more chats.
  const values = { count: project.chats };
  const ways = [
    {
      way: 'keep',
      name: t({ id: 'project.delete.keep', defaultMessage: 'Keep the chats' }),
      about: t(
        {
          id: 'project.delete.keepAbout',
          defaultMessage:
            '{count, plural, =1000 {1,000 or more chats stay as chats without a project.} one {# chat stays as a chat without a project.} other {# chats stay as chats without a project.}}',
        },
        values,
      ),
    },
    {
      way: 'delete',
      name: t({ id: 'project.delete.all', defaultMessage: 'Delete the chats too' }),
      about: t(
        {
          id: 'project.delete.allAbout',
          defaultMessage:
            '{count, plural, =1000 {1,000 or more chats are deleted. You can restore them for 7 days.} one {# chat is deleted. You can restore it for 7 days.} other {# chats are deleted. You can restore them for 7 days.}}',
        },
        values,
      ),
    },
  ] as const;
  return (
    <ConfirmDialog
      title={t({ id: 'project.delete.title', defaultMessage: 'Delete “{project}”?' }, { project: project.name })}
      confirm={t({ id: 'project.menu.delete', defaultMessage: 'Delete project' })}
      act={deleting}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
      field={
        project.chats === 0 ? null : (
          <div
            className={classes.ways}
            role="radiogroup"
            aria-label={t({ id: 'project.delete.chats', defaultMessage: 'Chats of the project' })}
          >
            {ways.map(({ way, name, about }) => (
              <label key={way} className={classes.way}>
                <input type="radio" name="chats" checked={chats === way} onChange={() => setChats(way)} />
                <b>{name}</b>
                <span className="p-sm p-quiet">{about}</span>
              </label>
            ))}
          </div>
        )
      }
    >
      {project.files
        ? t({
            id: 'project.delete.textFiles',
            defaultMessage:
              'Its name, instructions and files are deleted with it; data connections are kept. You can undo this.',
          })
        : t({
            id: 'project.delete.text',
            defaultMessage: 'Its name and instructions are deleted with it. You can undo this.',
          })}
    </ConfirmDialog>
  );
}
