import { Button } from '@mantine/core';
import type { OrganisationOverview } from '@parley/contracts';
import { Link } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import { OrganisationMark } from '../../../domain/picture/avatar.tsx';
import { type Column, ListTable, Status } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { ApproveButton } from './approve-button.tsx';
import { statusShapes, useApprovalNames, useStatusNames } from './status-names.ts';
import classes from '../parts/organisations.module.css';

type Sort = 'members' | 'activity' | 'created' | null;
type Props = {
  items: readonly OrganisationOverview[];
  /** Null is by name. */
  sort: Sort;
  onSort: (sort: Sort) => void;
};

export function OrganisationsTable({ items, sort, onSort }: Props) {
  return (
    <ListTable
      columns={useColumns(sort, onSort)}
      items={items}
      cells={(organisation) => <Cells organisation={organisation} />}
    />
  );
}

function useColumns(current: Sort, onSort: Props['onSort']): Column[] {
  const { t } = useText();
  const by = (sort: Sort): NonNullable<Column['sort']> => ({
    isCurrent: sort === current,
    direction: sort === null ? 'ascending' : 'descending',
    onSort: () => onSort(sort),
  });
  return [
    {
      key: 'name',
      label: t({ id: 'installation.organisations.name', defaultMessage: 'Organisation' }),
      sort: by(null),
    },
    { key: 'status', label: t({ id: 'installation.organisations.status', defaultMessage: 'Status' }) },
    {
      key: 'members',
      label: t({ id: 'installation.organisations.members', defaultMessage: 'Members' }),
      isFigure: true,
      sort: by('members'),
    },
    {
      key: 'activity',
      label: t({ id: 'installation.organisations.activity', defaultMessage: 'Last activity' }),
      sort: by('activity'),
    },
    {
      key: 'created',
      label: t({ id: 'installation.organisations.created', defaultMessage: 'Created' }),
      sort: by('created'),
    },
    { key: 'actions', label: t({ id: 'installation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
}

function Cells({ organisation }: { organisation: OrganisationOverview }) {
  const { t } = useText();
  const { number, ago, date, exact } = useFormats();
  const names = useStatusNames();
  const approvalNames = useApprovalNames();
  const { id: orgId, name, slug, status, approval, memberCount, seatLimit, lastActivityAt, createdAt } = organisation;
  const to = usePaths().to('settings/org_admin/:orgId', { orgId });
  return (
    <>
      <td>
        <span className={table.named}>
          <OrganisationMark name={organisation.name} />
          <span>
            <Link to={to} className={classes.link}>
              <bdi className={table.name}>{name}</bdi>
            </Link>
            <bdi className={table.second} dir="ltr">
              {slug}
            </bdi>
          </span>
        </span>
      </td>
      <td className={approval === 'approved' ? undefined : classes.unapprovedState}>
        <span className={classes.states}>
          <Status kind={statusShapes[status]}>{names[status]}</Status>
          {approval === 'approved' ? null : (
            <Status kind={approval === 'requested' ? 'new' : 'off'}>{approvalNames[approval]}</Status>
          )}
        </span>
      </td>
      <td
        className={table.figure}
        data-label={t({ id: 'installation.organisations.members', defaultMessage: 'Members' })}
      >
        {seatLimit === null
          ? number(memberCount)
          : t(
              { id: 'installation.organisations.seats', defaultMessage: '{used} of {limit}' },
              { used: number(memberCount), limit: number(seatLimit) },
            )}
      </td>
      <td
        className={table.quiet}
        title={exact(lastActivityAt)}
        data-label={t({ id: 'installation.organisations.activity', defaultMessage: 'Last activity' })}
      >
        {ago(lastActivityAt)}
      </td>
      <td
        className={table.quiet}
        title={exact(createdAt)}
        data-label={t({ id: 'installation.organisations.created', defaultMessage: 'Created' })}
      >
        {date(createdAt)}
      </td>
      <td className={table.actions}>
        <div className={`${table.rowActions} ${table.onHover}`}>
          {approval === 'approved' ? null : <ApproveButton orgId={orgId} name={name} />}
          <OpenButton to={to} name={name} />
        </div>
      </td>
    </>
  );
}

function OpenButton({ to, name }: { to: string; name: string }) {
  const { t } = useText();
  return (
    <Button variant="default" size="xs" component={Link} to={to} className={classes.open}>
      {t({ id: 'installation.organisations.open', defaultMessage: 'Open' })}
      <span className="p-hidden">: {name}</span>
    </Button>
  );
}
