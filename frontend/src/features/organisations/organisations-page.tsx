import { Button } from '@mantine/core';
import type { Organisation } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { useMutation } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../lib/formats.ts';
import { api } from '../../lib/http.ts';
import { loadSession } from '../../domain/session/session.ts';
import { useRoleName } from '../../domain/role/role-names.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useText } from '../../lib/text.ts';
import { useList } from '../../lib/use-list.ts';
import { OrganisationMark } from '../../domain/picture/avatar.tsx';
import { cutName } from '../../ui/cut-name.tsx';
import { type Column, ListTable, Status } from '../../ui/list-table.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { LivePage } from '../../ui/page.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import table from '../../ui/table.module.css';
import { useErrorToast } from '../../ui/error-toast.ts';
import { CreateOrganisationForm } from './create-organisation-form.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import classes from './organisations-page.module.css';

const LeaveOrganisation = lazyPart(async () => (await import('./leave-organisation.tsx')).LeaveOrganisation);

export function OrganisationsPage() {
  const { t } = useText();
  const { me, organisation, organisations, switchTo } = useTab();
  const list = useList('GET /api/org/organisations');
  const columns = useColumns();
  const off = useActionOff();
  const [isCreating, setCreating] = useState(false);
  const title = t({ id: 'organisations.page.title', defaultMessage: 'Your organisations' });
  const create =
    me.mayCreateOrganisations && !isCreating ? (
      <Button leftSection={<Plus />} onClick={() => setCreating(true)} {...off}>
        {t({ id: 'organisations.page.create', defaultMessage: 'Create organisation' })}
      </Button>
    ) : null;
  return (
    <LivePage
      title={
        <>
          {title} <span className={table.count}>{organisations.length}</span>
        </>
      }
      documentTitle={title}
      actions={create}
    >
      {isCreating ? (
        <section
          className={classes.create}
          aria-label={t({ id: 'organisations.page.create', defaultMessage: 'Create organisation' })}
        >
          <CreateOrganisationForm
            size="sm"
            onCreated={(organisation) => {
              setCreating(false);
              switchTo(organisation);
            }}
            onCancel={() => setCreating(false)}
          />
        </section>
      ) : null}
      <OpenInvitations onJoined={switchTo} />
      <ListView
        list={list}
        loading={t({ id: 'organisations.page.loading', defaultMessage: 'The organisations are loading' })}
        failed={t({ id: 'organisations.page.failed', defaultMessage: 'The organisations could not be loaded' })}
        empty={null}
      >
        {(items) => (
          <ListTable
            columns={columns}
            items={items}
            isCurrent={({ id }) => id === organisation.id}
            cells={(item) => <Cells organisation={item} />}
          />
        )}
      </ListView>
      {me.mayCreateOrganisations ? null : (
        <p className={table.foot}>
          {t({
            id: 'organisations.page.reserved',
            defaultMessage: 'Creating organisations is reserved to platform admins here.',
          })}
        </p>
      )}
    </LivePage>
  );
}

function useColumns(): Column[] {
  const { t } = useText();
  return [
    { key: 'name', label: t({ id: 'organisations.column.name', defaultMessage: 'Organisation' }) },
    { key: 'role', label: t({ id: 'organisations.column.role', defaultMessage: 'Your role' }) },
    { key: 'members', label: t({ id: 'organisations.column.members', defaultMessage: 'Members' }), isFigure: true },
    { key: 'since', label: t({ id: 'organisations.column.since', defaultMessage: 'Created' }) },
    { key: 'actions', label: t({ id: 'organisations.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
}

function Cells({ organisation }: { organisation: Organisation }) {
  const { t, rich } = useText();
  const { number, date, exact } = useFormats();
  const { me, organisation: current, organisations, switchTo } = useTab();
  const [isLeaving, setLeaving] = useState(false);
  const roleName = useRoleName();
  const choose = useChooseDefault();
  const off = useActionOff();
  const isCurrent = organisation.id === current.id;
  return (
    <>
      <td>
        <span className={table.named}>
          <OrganisationMark name={organisation.name} />
          <span>
            <bdi className={table.name}>{organisation.name}</bdi>
            <bdi className={table.second} dir="ltr">
              {organisation.slug}
            </bdi>
            {organisation.suspension ? <SuspendedMark /> : null}
          </span>
        </span>
      </td>
      <td data-label={t({ id: 'organisations.column.role', defaultMessage: 'Your role' })}>
        {roleName({ id: organisation.role, name: organisation.roleName })}
      </td>
      <td className={table.figure} data-label={t({ id: 'organisations.column.members', defaultMessage: 'Members' })}>
        {number(organisation.memberCount)}
      </td>
      <td className={table.quiet} title={exact(organisation.createdAt)}>
        {date(organisation.createdAt)}
      </td>
      <td className={`${table.actions} ${classes.choices}`}>
        <div className={table.rowActions}>
          {me.defaultOrgId === organisation.id ? (
            <span className={classes.default}>
              <Check size={14} />
              {t({ id: 'organisations.row.default', defaultMessage: 'Default' })}
            </span>
          ) : (
            <span className={table.onHover}>
              <Button
                variant="subtle"
                size="xs"
                loading={choose.isPending}
                onClick={() => choose.mutate(organisation.id)}
                {...off}
              >
                {t({ id: 'organisations.row.makeDefault', defaultMessage: 'Make default' })}
                <span className="p-hidden">: {organisation.name}</span>
              </Button>
            </span>
          )}
          <span className={table.onHover}>
            <Button
              variant="subtle"
              size="xs"
              onClick={() => setLeaving(true)}
              aria-label={t(
                { id: 'organisations.row.leaveName', defaultMessage: 'Leave {name}' },
                { name: organisation.name },
              )}
              {...off}
            >
              {t({ id: 'organisations.row.leave', defaultMessage: 'Leave' })}
            </Button>
          </span>
          {isLeaving ? (
            <LeaveOrganisation
              organisation={organisation}
              onClose={() => setLeaving(false)}
              onLeft={() => {
                const next = organisations.find(({ id }) => id !== organisation.id);
                if (isCurrent && next) switchTo(next);
                setLeaving(false);
              }}
            />
          ) : null}
          {isCurrent ? (
            <span className={classes.here}>
              {t({ id: 'organisations.row.here', defaultMessage: 'Open in this tab' })}
            </span>
          ) : (
            <Button variant="default" size="xs" onClick={() => switchTo(organisation)}>
              <span>
                {rich(
                  { id: 'organisations.row.switch', defaultMessage: 'Switch to <name>{organisation}</name>' },
                  { organisation: organisation.name, name: cutName },
                )}
              </span>
            </Button>
          )}
        </div>
      </td>
    </>
  );
}

function SuspendedMark() {
  const { t } = useText();
  return <Status kind="off">{t({ id: 'organisations.row.suspended', defaultMessage: 'Suspended' })}</Status>;
}

/** Where a new tab starts. */
function useChooseDefault() {
  const showError = useErrorToast();
  return useMutation({
    mutationFn: (orgId: OrgId) =>
      api('PUT /api/auth/sessions/current/default-organisation', { body: { orgId }, retries: 2 }),
    onSuccess: () => loadSession(),
    onError: showError,
  });
}
