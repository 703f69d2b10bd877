import type { AuditAct, AuditEntry } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { ChoiceFilters } from '../../../ui/choice-filters.tsx';
import { DayRange } from '../../../ui/day-range.tsx';
import table from '../../../ui/table.module.css';
import { TextFilter } from '../../../ui/text-filter.tsx';
import { useAuditLines } from './use-audit-lines.ts';
import { AuditExport } from './audit-export.tsx';
import { OnlyChip } from './only-chip.tsx';
import { PersonFilter } from './person-filter.tsx';

type Filters = {
  readonly act: AuditAct | null;
  readonly actor: string | null;
  readonly target: string | null;
  readonly text: string | null;
  readonly from: string | null;
  readonly until: string | null;
};
type Props = {
  list: {
    readonly items: readonly AuditEntry[] | undefined;
    readonly filters: Filters;
    readonly setFilters: (part: Partial<Filters>) => void;
  };
  acts: Record<AuditAct, string>;
  offered: readonly AuditAct[];
};

/** Narrows the log by words, days, person, act and item, in any combination. */
export function AuditFilters({ list: { items, filters, setFilters }, acts, offered }: Props) {
  const { t } = useText();
  const { targetOf } = useAuditLines();
  // Falls back to a generic label: without a loaded entry of the person or item, their name is unknown.
  const actorNamed = (actor: AuditEntry['actor'] | undefined) =>
    actor?.name ?? t({ id: 'organisation.audit.chosenPerson', defaultMessage: 'Selected person' });
  const targetNamed = (target: AuditEntry['target'] | undefined) =>
    target ? targetOf(target) : t({ id: 'organisation.audit.chosenTarget', defaultMessage: 'Selected item' });
  return (
    <div className={table.bar}>
      <TextFilter
        label={t({ id: 'organisation.audit.search', defaultMessage: 'Person or item' })}
        text={filters.text}
        onChange={(text) => setFilters({ text, ...(text && { target: null }) })}
      />
      <DayRange
        labels={{
          from: t({ id: 'organisation.audit.from', defaultMessage: 'From' }),
          until: t({ id: 'organisation.audit.until', defaultMessage: 'Until' }),
        }}
        from={filters.from}
        until={filters.until}
        onChange={setFilters}
      />
      {filters.actor ? (
        <OnlyChip onRemove={() => setFilters({ actor: null })}>
          {actorNamed(items?.find(({ actor }) => actor.userId === filters.actor)?.actor)}
        </OnlyChip>
      ) : (
        <PersonFilter
          label={t({ id: 'organisation.audit.person.label', defaultMessage: 'Person' })}
          onChange={(actor) => setFilters({ actor })}
        />
      )}
      <ChoiceFilters
        choices={[
          {
            name: 'act',
            label: t({ id: 'organisation.audit.action', defaultMessage: 'Action' }),
            options: offered.map((act) => ({ value: act, label: acts[act] })),
          },
        ]}
        values={{ act: filters.act }}
        onChange={({ act = null }) => setFilters({ act: act as AuditAct | null })}
      />
      {filters.target ? (
        <OnlyChip onRemove={() => setFilters({ target: null })}>
          {targetNamed(items?.find(({ target }) => target.id === filters.target)?.target)}
        </OnlyChip>
      ) : null}
      <AuditExport filters={filters} />
    </div>
  );
}
