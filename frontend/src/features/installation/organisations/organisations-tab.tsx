import { Button } from '@mantine/core';
import { Building2, Plus } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { TextFilter, ToggleChips } from '../../../ui/text-filter.tsx';
import { OrganisationsTable } from './organisations-table.tsx';
import { useApprovalNames, useStatusNames } from './status-names.ts';
import { UnapprovedNote } from './unapproved-note.tsx';
import classes from '../parts/organisations.module.css';

const ProvisionDialog = lazyPart(async () => (await import('./provision-dialog.tsx')).ProvisionDialog);
const statuses = ['active', 'suspended', 'waiting'] as const;
const approvals = ['requested', 'none'] as const;
const sorts = ['members', 'activity', 'created'] as const;
/** Nobody's room hears of all organisations. */
const refetchMs = 5_000;

/** All organisations of the installation: how they stand and how many are in them, never what is. */
export function OrganisationsTab() {
  const { t } = useText();
  const names = useStatusNames();
  const approvalNames = useApprovalNames();
  const list = useList('GET /api/monitoring/all-organisations', {
    filters: { text: 'text', status: statuses, approval: approvals, sort: sorts },
    refetchMs,
  });
  const { filters, setFilters, items, isComplete } = list;
  const [isCreating, setCreating] = useState(false);
  const off = useActionOff();
  const create = (
    <Button leftSection={<Plus />} onClick={() => setCreating(true)} {...off}>
      {t({ id: 'installation.organisations.create', defaultMessage: 'Create organisation' })}
    </Button>
  );
  return (
    <>
      <UnapprovedNote />
      <ListView
        list={{ ...list, isFiltered: filters.text !== null || filters.status !== null || filters.approval !== null }}
        loading={t({ id: 'installation.organisations.loading', defaultMessage: 'The organisations are loading' })}
        failed={t({ id: 'installation.organisations.failed', defaultMessage: 'The organisations could not be loaded' })}
        empty={
          <StateView
            icon={Building2}
            title={t({ id: 'installation.organisations.empty', defaultMessage: 'No organisations yet' })}
            actions={create}
          >
            {t({
              id: 'installation.organisations.emptyText',
              defaultMessage: 'Create one and name its first owner, who gets an invitation by email.',
            })}
          </StateView>
        }
        filtering={{
          bar: (
            <div className={`${table.bar} ${classes.bar}`}>
              <TextFilter
                label={t({ id: 'installation.organisations.search', defaultMessage: 'Name or URL name' })}
                text={filters.text}
                onChange={(text) => setFilters({ text })}
              />
              <ToggleChips
                values={statuses}
                nameOf={(status) => names[status]}
                chosen={filters.status}
                onChange={(status) => setFilters({ status })}
              />
              <ToggleChips
                values={approvals}
                nameOf={(approval) => approvalNames[approval]}
                chosen={filters.approval}
                onChange={(approval) => setFilters({ approval })}
              />
              <span className={classes.create}>{create}</span>
            </div>
          ),
          none: t({ id: 'installation.organisations.none', defaultMessage: 'No organisation fits' }),
          clear: () => setFilters({ text: null, status: null, approval: null }),
        }}
        foot={
          isComplete && items
            ? t(
                {
                  id: 'installation.organisations.foot',
                  defaultMessage: '{count, plural, one {# organisation} other {# organisations}}',
                },
                { count: items.length },
              )
            : t({ id: 'installation.organisations.more', defaultMessage: 'More load as you scroll.' })
        }
      >
        {(shown) => <OrganisationsTable items={shown} sort={filters.sort} onSort={(sort) => setFilters({ sort })} />}
      </ListView>
      {isCreating ? <ProvisionDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}
