import type { Group } from '@parley/contracts';
import { Pencil, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import { useDeleteGroup, useRenameGroup } from '../group-commands.ts';
import { RenameField } from './rename-field.tsx';
import classes from './groups-tab.module.css';

const ConfirmDialog = lazyPart(async () => (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog);

type Props = {
  groups: readonly Group[];
  openId: string | undefined;
  /** Null for whoever may not see people. */
  onOpen: ((id: string) => void) | null;
};

export function GroupTable({ groups, openId, onOpen }: Props) {
  const { t } = useText();
  const mayManage = useRight('group:manage');
  const [deleted, setDeleted] = useState<Group | null>(null);
  const columns = [
    { key: 'name', label: t({ id: 'permissions.column.group', defaultMessage: 'Group' }) },
    { key: 'members', label: t({ id: 'permissions.column.members', defaultMessage: 'Members' }), isFigure: true },
    ...(mayManage
      ? [{ key: 'actions', label: t({ id: 'permissions.column.actions', defaultMessage: 'Actions' }), isHidden: true }]
      : []),
  ];
  return (
    <>
      <ListTable
        columns={columns}
        items={groups}
        isCurrent={({ id }) => id === openId}
        cells={(group) => (
          <Cells group={group} onOpen={onOpen} mayManage={mayManage} onDelete={() => setDeleted(group)} />
        )}
      />
      {deleted ? <DeleteGroup group={deleted} onClose={() => setDeleted(null)} /> : null}
    </>
  );
}

type CellsProps = { group: Group; onOpen: Props['onOpen']; mayManage: boolean; onDelete: () => void };

function Cells({ group, onOpen, mayManage, onDelete }: CellsProps) {
  const { t } = useText();
  const { number } = useFormats();
  const off = useActionOff();
  const [isRenaming, setRenaming] = useState(false);
  const { name } = group;
  return (
    <>
      <td>
        <GroupName group={group} isRenaming={isRenaming} onRenamed={() => setRenaming(false)} onOpen={onOpen} />
      </td>
      <td className={table.figure} data-label={t({ id: 'permissions.column.members', defaultMessage: 'Members' })}>
        {number(group.memberCount)}
      </td>
      {mayManage ? (
        <td className={table.actions}>
          <IconButton
            icon={Pencil}
            label={t({ id: 'permissions.groups.rename', defaultMessage: 'Rename {name}' }, { name })}
            onClick={() => setRenaming(true)}
            {...off}
          />
          <IconButton
            icon={Trash2}
            label={t({ id: 'permissions.groups.delete', defaultMessage: 'Delete {name}' }, { name })}
            onClick={onDelete}
            {...off}
          />
        </td>
      ) : null}
    </>
  );
}

type NameProps = { group: Group; isRenaming: boolean; onRenamed: () => void; onOpen: Props['onOpen'] };

/** Renamed in place; what the server refuses stands below. */
function GroupName({ group, isRenaming, onRenamed, onOpen }: NameProps) {
  const { t } = useText();
  const rename = useRenameGroup(group);
  const done = (next: string | null) => {
    onRenamed();
    if (next) rename.mutate(next);
  };
  const shown = <bdi>{rename.isPending ? rename.variables : group.name}</bdi>;
  return (
    <span className={table.named}>
      <span className={classes.mark}>
        <Users />
      </span>
      <span>
        {isRenaming ? (
          <RenameField
            label={t({ id: 'permissions.groups.newName', defaultMessage: 'New name of the group' })}
            name={group.name}
            onDone={done}
          />
        ) : onOpen ? (
          <button type="button" className={classes.open} onClick={() => onOpen(group.id)}>
            {shown}
          </button>
        ) : (
          shown
        )}
        <ErrorNote error={rename.error} />
      </span>
    </span>
  );
}

/** Cannot be undone, for nobody knows afterwards who was in it. */
function DeleteGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useText();
  const remove = useDeleteGroup(group, onClose);
  return (
    <ConfirmDialog
      title={t({ id: 'permissions.groups.deleteTitle', defaultMessage: 'Delete {name}?' }, { name: group.name })}
      confirm={t({ id: 'permissions.groups.deleteConfirm', defaultMessage: 'Delete group' })}
      act={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t(
        {
          id: 'permissions.groups.deleteText',
          defaultMessage:
            '{count, plural, =0 {Nobody is in it.} one {# person leaves the group and stays a member of the organisation.} other {# people leave the group and stay members of the organisation.}} This cannot be undone.',
        },
        { count: group.memberCount },
      )}
    </ConfirmDialog>
  );
}
