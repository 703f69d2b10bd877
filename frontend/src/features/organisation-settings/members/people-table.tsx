import { Button } from '@mantine/core';
import { useText } from '../../../lib/text.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import type { PeopleAct } from '../people/people-act.ts';
import type { PeopleRow } from '../people/people-rows.ts';
import { InvitationCells } from '../invitations/invitation-cells.tsx';
import { MemberCells } from './member-cells.tsx';
import classes from '../people/people.module.css';

type Invitations = { error: unknown; retry: () => void; more: () => void; isLoadingMore: boolean };
type Props = { rows: readonly PeopleRow[]; invitations: Invitations; onAct: (act: PeopleAct) => void };

/** Who is invited and who is a member, one below the other. */
export function PeopleTable({ rows, invitations, onAct }: Props) {
  const columns = useColumns();
  return (
    <>
      {invitations.error ? <NoInvitations error={invitations.error} onRetry={invitations.retry} /> : null}
      <ListTable
        columns={columns}
        items={rows}
        isNew={(row) => row.kind === 'member' && row.isNew}
        cells={(row) => {
          if (row.kind === 'group') return <GroupHead row={row} />;
          if (row.kind === 'invitation') return <InvitationCells invitation={row.invitation} onAct={onAct} />;
          if (row.kind === 'more') return <MoreInvitations {...invitations} />;
          return <MemberCells member={row.member} isNew={row.isNew} onAct={onAct} />;
        }}
      />
    </>
  );
}

function useColumns(): Column[] {
  const { t } = useText();
  return [
    { key: 'person', label: t({ id: 'organisation.people.person', defaultMessage: 'Person' }) },
    { key: 'role', label: t({ id: 'organisation.people.role', defaultMessage: 'Role' }) },
    { key: 'group', label: t({ id: 'organisation.people.group', defaultMessage: 'Group' }) },
    { key: 'state', label: t({ id: 'organisation.people.state', defaultMessage: 'State' }) },
    { key: 'since', label: t({ id: 'organisation.people.since', defaultMessage: 'Since' }) },
    { key: 'actions', label: t({ id: 'organisation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
}

function GroupHead({ row: { group, count } }: { row: Extract<PeopleRow, { kind: 'group' }> }) {
  const { t } = useText();
  return (
    <th colSpan={6} scope="rowgroup" className={classes.group}>
      {group === 'invited'
        ? t({ id: 'organisation.people.invited', defaultMessage: 'Invited, {count}' }, { count })
        : t({ id: 'organisation.people.members', defaultMessage: 'Members, {count}' }, { count })}
    </th>
  );
}

function MoreInvitations({ more, isLoadingMore }: Pick<Invitations, 'more' | 'isLoadingMore'>) {
  const { t } = useText();
  return (
    <td colSpan={6} className={classes.more}>
      <Button variant="subtle" size="xs" loading={isLoadingMore} onClick={more}>
        {t({ id: 'organisation.people.more', defaultMessage: 'Show more invitations' })}
      </Button>
    </td>
  );
}

/** The members are there all the same. */
function NoInvitations({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  return (
    <div className={classes.failed} role="alert">
      <span>
        {t({ id: 'organisation.people.invitedFailed', defaultMessage: 'The invitations could not be loaded.' })}{' '}
        {describe(error).text}
      </span>
      <Button variant="default" size="xs" onClick={onRetry}>
        {t({ id: 'organisation.people.retry', defaultMessage: 'Try again' })}
      </Button>
    </div>
  );
}
