import type { Project } from '@parley/contracts';
import { Archive, ArchiveRestore, Ellipsis, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useProjectCommands } from './use-project-commands.tsx';

type Props = { project: Project; onRename: () => void; onDelete: () => void };

/** The menu in the header of a project. */
export function ProjectMenu({ project, onRename, onDelete }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const mayDelete = useRight('chat:delete');
  const { change } = useProjectCommands(project);
  const { pinned = false, archived = false } = project;
  // Pinning takes a project out of the archive, and archiving unpins it.
  const pin = () => void change({ pinned: !pinned, ...(!pinned && archived && { archived: false }) });
  const archive = () => void change({ archived: !archived, ...(!archived && pinned && { pinned: false }) });
  return (
    <Menu position="bottom-end" width={220} returnFocus>
      <Menu.Target>
        <IconButton
          icon={Ellipsis}
          size={32}
          label={t({ id: 'project.menu.label', defaultMessage: 'Project actions' })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {off ? <Menu.Label>{off.title}</Menu.Label> : null}
        <Menu.Item leftSection={<Pencil />} onClick={onRename} {...off}>
          {t({ id: 'project.menu.rename', defaultMessage: 'Rename project' })}
        </Menu.Item>
        <Menu.Item leftSection={pinned ? <PinOff /> : <Pin />} onClick={pin} {...off}>
          {pinned
            ? t({ id: 'project.menu.unpin', defaultMessage: 'Unpin project' })
            : t({ id: 'project.menu.pin', defaultMessage: 'Pin project' })}
        </Menu.Item>
        <Menu.Item leftSection={archived ? <ArchiveRestore /> : <Archive />} onClick={archive} {...off}>
          {archived
            ? t({ id: 'project.menu.unarchive', defaultMessage: 'Unarchive project' })
            : t({ id: 'project.menu.archive', defaultMessage: 'Archive project' })}
        </Menu.Item>
        {mayDelete ? (
          <Menu.Item leftSection={<Trash2 />} onClick={onDelete} {...off}>
            {t({ id: 'project.menu.delete', defaultMessage: 'Delete project' })}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
