import type { LedgerEntry } from '@parley/contracts';
import { ScrollText, X } from 'lucide-react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ChoiceFilters } from '../../../ui/choice-filters.tsx';
import { DayRange } from '../../../ui/day-range.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { LedgerCells, useChatbotName, useLedgerColumns } from './ledger-cells.tsx';
import { LedgerExport } from './ledger-export.tsx';
import { useModelName } from '../../../domain/model/model-name.ts';
import { useOutcomes } from './outcomes.ts';

/** No event tells of entries in the ledger. */
const refetchMs = 2_000;
const outcomes = [
  'done',
  'stopped',
  'cut',
  'failed',
  'interrupted',
] as const satisfies readonly LedgerEntry['outcome'][];

/** One line for each attempt at an answer, newest first; nobody changes any. */
export function LedgerTab() {
  const { t } = useText();
  const outcomeNames = useOutcomes();
  const nameOf = useModelName();
  const columns = useLedgerColumns();
  const chatbotName = useChatbotName();
  const isNamed = useRight('usage:read_person');
  const list = useList('GET /api/billing/ledger-entries', {
    filters: { outcome: outcomes, model: 'text', chatbotId: 'text', userId: 'text', from: 'text', until: 'text' },
    refetchMs,
  });
  const { filters, setFilters, items } = list;
  /** The server filters by one of them, beside the time. */
  const only = (part: Partial<typeof filters>) =>
    setFilters({ outcome: null, model: null, chatbotId: null, userId: null, ...part });
  const person = items?.find(({ userId }) => userId === filters.userId)?.name ?? filters.userId;
  return (
    <ListView
      list={list}
      loading={t({ id: 'billing.ledger.loading', defaultMessage: 'The ledger is loading' })}
      failed={t({ id: 'billing.ledger.failed', defaultMessage: 'The ledger could not be loaded' })}
      empty={
        <StateView icon={ScrollText} title={t({ id: 'billing.ledger.empty', defaultMessage: 'Nothing was used yet' })}>
          {t({
            id: 'billing.ledger.emptyText',
            defaultMessage: 'Each attempt at an answer is written down here, with its tokens and its cost.',
          })}
        </StateView>
      }
      filtering={{
        bar: (
          <div className={table.bar}>
            <DayRange
              labels={{
                from: t({ id: 'billing.ledger.from', defaultMessage: 'From' }),
                until: t({ id: 'billing.ledger.until', defaultMessage: 'Until' }),
              }}
              from={filters.from}
              until={filters.until}
              onChange={setFilters}
            />
            <ChoiceFilters
              choices={[
                {
                  name: 'outcome',
                  label: t({ id: 'billing.ledger.outcome', defaultMessage: 'Outcome' }),
                  options: outcomes.map((outcome) => ({ value: outcome, label: outcomeNames[outcome] })),
                },
              ]}
              values={{ outcome: filters.outcome }}
              onChange={({ outcome = null }) => only({ outcome: outcome as typeof filters.outcome })}
            />
            {filters.model ? <Only label={nameOf(filters.model)} onRemove={() => only({})} /> : null}
            {filters.chatbotId ? <Only label={chatbotName(filters.chatbotId)} onRemove={() => only({})} /> : null}
            {person ? <Only label={person} onRemove={() => only({})} /> : null}
            <LedgerExport filters={filters} />
          </div>
        ),
        none: t({ id: 'billing.ledger.none', defaultMessage: 'No entry fits' }),
        clear: () => only({ from: null, until: null }),
      }}
      foot={
        isNamed
          ? t({
              id: 'billing.ledger.foot',
              defaultMessage:
                'Each attempt is priced when it ends. Select a model, a chatbot or a person to filter the list.',
            })
          : t({
              id: 'billing.ledger.footUnnamed',
              defaultMessage: 'Each attempt is priced when it ends. Select a model or a chatbot to filter the list.',
            })
      }
    >
      {(entries) => (
        <ListTable
          columns={columns}
          items={entries}
          cells={(entry) => (
            <LedgerCells
              entry={entry}
              onModel={() => only({ model: entry.model })}
              onChatbot={(chatbotId) => only({ chatbotId })}
              onPerson={() => only({ userId: entry.userId })}
            />
          )}
        />
      )}
    </ListView>
  );
}

function Only({ label, onRemove }: { label: string; onRemove: () => void }) {
  const { t } = useText();
  return (
    <button
      type="button"
      className={table.chip}
      aria-pressed="true"
      aria-label={t({ id: 'billing.ledger.notOnly', defaultMessage: '{name}, remove this filter' }, { name: label })}
      onClick={onRemove}
    >
      <bdi>{label}</bdi>
      <X size={14} />
    </button>
  );
}
