import type { AuditAct, AuditEntry } from '@parley/contracts';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useList } from '../../../lib/use-list.ts';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import { useAuditActs } from './audit-acts.ts';
import { AuditCells } from './audit-cells.tsx';
import { AuditDetails } from './audit-details.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { ConsoleFrame } from '../parts/console-frame.tsx';

/** Entries are written by many acts, and no event tells them all. */
const refetchMs = 5_000;

/** Who did what to whom in this organisation, newest first. */
export function AuditTab() {
  const { t } = useText();
  const acts = useAuditActs();
  const seesSignIns = useRight('member:read_pii');
  const offered = (Object.keys(acts) as AuditAct[]).filter((act) => act !== 'member.signed-in' || seesSignIns);
  const list = useList('GET /api/org/audit', {
    filters: { act: offered, actor: 'text', target: 'text', text: 'text', from: 'text', until: 'text' },
    refetchMs,
  });
  const { setFilters } = list;
  const columns = useColumns();
  const [openId, setOpenId] = useState<AuditEntry['id'] | null>(null);
  const toggle = ({ id }: AuditEntry) => setOpenId(id === openId ? null : id);
  return (
    <ConsoleFrame>
      <ListView
        list={list}
        loading={t({ id: 'organisation.audit.loading', defaultMessage: 'Loading audit log…' })}
        failed={t({ id: 'organisation.audit.failed', defaultMessage: 'The audit log couldn’t be loaded' })}
        empty={
          <StateView icon={ScrollText} title={t({ id: 'organisation.audit.empty', defaultMessage: 'No entries yet' })}>
            {t({
              id: 'organisation.audit.emptyText',
              defaultMessage: 'Invitations, role changes, removals and other sensitive actions appear here.',
            })}
          </StateView>
        }
        filtering={{
          bar: <AuditFilters list={list} acts={acts} offered={offered} />,
          none: t({ id: 'organisation.audit.none', defaultMessage: 'No matching entries' }),
          clear: () => setFilters({ act: null, actor: null, target: null, text: null, from: null, until: null }),
        }}
        foot={t({
          id: 'organisation.audit.foot',
          defaultMessage: 'Each entry is saved with the action itself. Entries can’t be edited or deleted.',
        })}
      >
        {(items) => (
          <ListTable
            columns={columns}
            items={items.flatMap((entry) => (entry.id === openId ? [rowOf(entry), detailsOf(entry)] : [rowOf(entry)]))}
            isCurrent={({ entry }) => entry.id === openId}
            onRow={({ entry, isDetails }) => isDetails || toggle(entry)}
            cells={({ entry, isDetails }) =>
              isDetails ? (
                <td colSpan={columns.length}>
                  <AuditDetails entry={entry} />
                </td>
              ) : (
                <AuditCells
                  entry={entry}
                  acts={acts}
                  isOpen={entry.id === openId}
                  onToggle={() => toggle(entry)}
                  onActor={(actor) => setFilters({ actor })}
                  onTarget={(target) => setFilters({ target, text: null })}
                />
              )
            }
          />
        )}
      </ListView>
    </ConsoleFrame>
  );
}

/** The details of an entry are a row of their own, below it. */
type Row = { readonly id: string; readonly entry: AuditEntry; readonly isDetails: boolean };
const rowOf = (entry: AuditEntry): Row => ({ id: entry.id, entry, isDetails: false });
const detailsOf = (entry: AuditEntry): Row => ({ id: `${entry.id} details`, entry, isDetails: true });

function useColumns(): Column[] {
  const { t } = useText();
  return [
    { key: 'when', label: t({ id: 'organisation.audit.when', defaultMessage: 'When' }) },
    { key: 'who', label: t({ id: 'organisation.audit.who', defaultMessage: 'Who' }) },
    { key: 'did', label: t({ id: 'organisation.audit.did', defaultMessage: 'Did' }) },
    { key: 'to', label: t({ id: 'organisation.audit.to', defaultMessage: 'To' }) },
    { key: 'result', label: t({ id: 'organisation.audit.result', defaultMessage: 'Result' }) },
  ];
}
