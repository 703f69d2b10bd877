import type { AuditAct } from '@parley/contracts';
import { ScrollText } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useList } from '../../../lib/use-list.ts';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { ChoiceFilters } from '../../../ui/choice-filters.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { useAuditActs } from '../audit-acts.ts';
import { AuditCells } from './audit-cells.tsx';
import { AuditExport } from './audit-export.tsx';
import { ConsoleFrame } from './console-frame.tsx';
import { OnlyChip } from './only-chip.tsx';

/** Entries are written by many acts, and no event tells them all. */
const refetchMs = 5_000;

/** Who did what to whom in this organisation, newest first. */
export function AuditTab() {
  const { t } = useText();
  const acts = useAuditActs();
  const seesSignIns = useRight('member:read_pii');
  const offered = (Object.keys(acts) as AuditAct[]).filter((act) => act !== 'member.signed-in' || seesSignIns);
  const list = useList('GET /api/org/audit', { filters: { act: offered, actor: 'text', target: 'text' }, refetchMs });
  const { filters, setFilters } = list;
  const columns = useColumns();
  /** The server filters by one of them. */
  const only = (part: Partial<typeof filters>) => setFilters({ act: null, actor: null, target: null, ...part });
  return (
    <ConsoleFrame>
      <ListView
        list={list}
        loading={t({ id: 'organisation.audit.loading', defaultMessage: 'The audit log is loading' })}
        failed={t({ id: 'organisation.audit.failed', defaultMessage: 'The audit log could not be loaded' })}
        empty={
          <StateView
            icon={ScrollText}
            title={t({ id: 'organisation.audit.empty', defaultMessage: 'Nothing is written down yet' })}
          >
            {t({
              id: 'organisation.audit.emptyText',
              defaultMessage: 'Invitations, changes of roles, removals and other sensitive acts will stand here.',
            })}
          </StateView>
        }
        filtering={{
          bar: (
            <div className={table.bar}>
              <ChoiceFilters
                choices={[
                  {
                    name: 'act',
                    label: t({ id: 'organisation.audit.what', defaultMessage: 'What' }),
                    options: offered.map((act) => ({ value: act, label: acts[act] })),
                  },
                ]}
                values={{ act: filters.act }}
                onChange={({ act = null }) => only({ act: act as typeof filters.act })}
              />
              {filters.actor ? (
                <OnlyChip onRemove={() => only({})}>
                  {list.items?.find(({ actor }) => actor.userId === filters.actor)?.actor.name ?? filters.actor}
                </OnlyChip>
              ) : null}
              {filters.target ? (
                <OnlyChip onRemove={() => only({})}>
                  {list.items?.find(({ target }) => target.id === filters.target)?.target.name ?? filters.target}
                </OnlyChip>
              ) : null}
              <AuditExport filters={filters} />
            </div>
          ),
          none: t({ id: 'organisation.audit.none', defaultMessage: 'No entry of this kind' }),
          clear: () => only({}),
        }}
        foot={t({
          id: 'organisation.audit.foot',
          defaultMessage: 'Entries are written with the act itself, and nobody changes or deletes them.',
        })}
      >
        {(items) => (
          <ListTable
            columns={columns}
            items={items}
            cells={(entry) => (
              <AuditCells
                entry={entry}
                acts={acts}
                onActor={(actor) => only({ actor })}
                onTarget={(target) => only({ target })}
              />
            )}
          />
        )}
      </ListView>
    </ConsoleFrame>
  );
}

function useColumns(): Column[] {
  const { t } = useText();
  return [
    { key: 'what', label: t({ id: 'organisation.audit.what', defaultMessage: 'What' }) },
    { key: 'who', label: t({ id: 'organisation.audit.who', defaultMessage: 'Who' }) },
    { key: 'change', label: t({ id: 'organisation.audit.change', defaultMessage: 'Change' }) },
    { key: 'when', label: t({ id: 'organisation.audit.when', defaultMessage: 'When' }) },
  ];
}
