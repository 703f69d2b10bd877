import type { AuditAct, AuditEntry } from '@parley/contracts';
import { ScrollText, X } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { useAuditActs } from '../audit-acts.ts';
import { ConsoleFrame } from './console-frame.tsx';

/** The acts by which one looks for something most; every one of them is in the list. */
const offered = ['member.role-changed', 'member.removed', 'member.suspended', 'role.updated'] as const;
/** Entries are written by many acts, and no event tells them all. */
const refetchMs = 5_000;

/** Who did what to whom in this organisation, newest first. */
export function AuditTab() {
  const { t } = useText();
  const acts = useAuditActs();
  const list = useList('GET /api/org/audit', { filters: { act: offered }, refetchMs });
  const { filters, setFilters } = list;
  const columns = useColumns();
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
              {offered.map((act) => (
                <button
                  key={act}
                  type="button"
                  className={table.chip}
                  aria-pressed={filters.act === act}
                  onClick={() => setFilters({ act: filters.act === act ? null : act })}
                >
                  {acts[act]}
                  {filters.act === act ? <X size={14} strokeWidth={1.75} aria-hidden="true" /> : null}
                </button>
              ))}
            </div>
          ),
          none: t({ id: 'organisation.audit.none', defaultMessage: 'No entry of this kind' }),
          clear: () => setFilters({ act: null }),
        }}
        foot={t({
          id: 'organisation.audit.foot',
          defaultMessage: 'Entries are written with the act itself, and nobody changes or deletes them.',
        })}
      >
        {(items) => (
          <ListTable columns={columns} items={items} cells={(entry) => <Cells entry={entry} acts={acts} />} />
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

function Cells({ entry, acts }: { entry: AuditEntry; acts: Record<AuditAct, string> }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const { actor, target, reason, at } = entry;
  return (
    <>
      <td>
        <span className={table.name}>{acts[entry.act]}</span>
        <bdi className={table.second}>{target.name}</bdi>
      </td>
      <td data-label={t({ id: 'organisation.audit.who', defaultMessage: 'Who' })}>
        <span className={table.named}>
          <PersonAvatar id={actor.userId} name={actor.name} size={24} />
          <bdi>{actor.name}</bdi>
        </span>
      </td>
      <td data-label={t({ id: 'organisation.audit.change', defaultMessage: 'Change' })}>
        {changesOf(entry).map((line) => (
          <code key={line} className={table.second} dir="ltr">
            {line}
          </code>
        ))}
        {reason === null ? null : <bdi className={table.second}>{reason}</bdi>}
      </td>
      <td className={table.quiet} title={exact(at)}>
        {ago(at)}
      </td>
    </>
  );
}

/** `role: member → guest`, for each field that is not as it was. */
function changesOf({ before, after }: AuditEntry): string[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.flatMap((field) => {
    const [was, is] = [shown(before?.[field]), shown(after?.[field])];
    if (was === is) return [];
    return [`${field}: ${before && after ? `${was} → ${is}` : before ? was : is}`];
  });
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value ?? null);
