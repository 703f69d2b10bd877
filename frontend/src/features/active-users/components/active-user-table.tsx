import { useText } from '../../../lib/text.ts';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import type { PeopleAct } from '../people-act.ts';
import type { ActiveRow } from '../use-active-users.ts';
import type { Selection } from '../use-selection.ts';
import { ActiveUserCells } from './active-user-cells.tsx';
import classes from './active-users.module.css';

type Props = { rows: readonly ActiveRow[]; selection: Selection; onAct: (act: PeopleAct) => void };

export function ActiveUserTable({ rows, selection, onAct }: Props) {
  return (
    <ListTable
      columns={useColumns(selection)}
      items={rows}
      isCurrent={({ id }) => selection.has(id)}
      cells={(person) => (
        <ActiveUserCells
          person={person}
          isChosen={selection.has(person.id)}
          onToggle={selection.toggle}
          onAct={onAct}
        />
      )}
    />
  );
}

function useColumns(selection: Selection): Column[] {
  const { t } = useText();
  const choose = t({ id: 'active.column.choose', defaultMessage: 'Choose all' });
  return [
    { key: 'choose', label: choose, head: <ChooseAll label={choose} selection={selection} /> },
    { key: 'person', label: t({ id: 'active.column.person', defaultMessage: 'Person' }) },
    { key: 'role', label: t({ id: 'active.column.role', defaultMessage: 'Role' }) },
    { key: 'groups', label: t({ id: 'active.column.groups', defaultMessage: 'Group' }) },
    { key: 'presence', label: t({ id: 'active.column.presence', defaultMessage: 'Presence' }) },
    { key: 'acted', label: t({ id: 'active.column.acted', defaultMessage: 'Last action' }) },
    { key: 'answers', label: t({ id: 'active.column.running', defaultMessage: 'Running' }), isFigure: true },
    { key: 'devices', label: t({ id: 'active.column.devices', defaultMessage: 'Devices' }) },
    { key: 'actions', label: t({ id: 'active.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
}

function ChooseAll({ label, selection: { state, toggleAll } }: { label: string; selection: Selection }) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={label}
      checked={state === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = state === 'some';
      }}
      onChange={toggleAll}
    />
  );
}
