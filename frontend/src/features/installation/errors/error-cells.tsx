import type { ErrorGroup } from '@parley/contracts';
import { defineMessages } from 'react-intl';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { Status, type Column } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { placeOf, titleOf, useDeployableName, useErrorStates } from './error-names.ts';
import classes from './errors.module.css';
import { HoursSpark } from './hours-spark.tsx';

const labels = defineMessages({
  events: { id: 'installation.errors.events', defaultMessage: 'Events' },
  people: { id: 'installation.errors.people', defaultMessage: 'People' },
});
/** A group counts no more people. */
const mostPeople = 100;

export function useErrorColumns(): Column[] {
  const { t } = useText();
  return [
    { key: 'error', label: t({ id: 'installation.errors.error', defaultMessage: 'Error' }) },
    { key: 'service', label: t({ id: 'installation.errors.service', defaultMessage: 'Service' }) },
    { key: 'hours', label: t({ id: 'installation.errors.hours', defaultMessage: '24 h' }) },
    { key: 'events', label: t(labels.events), isFigure: true },
    { key: 'people', label: t(labels.people), isFigure: true },
    { key: 'last', label: t({ id: 'installation.errors.last', defaultMessage: 'Last' }) },
    { key: 'state', label: t({ id: 'installation.column.state', defaultMessage: 'State' }) },
  ];
}

export function ErrorCells({ group, onOpen }: { group: ErrorGroup; onOpen: () => void }) {
  const { t } = useText();
  const { number, ago, exact } = useFormats();
  const states = useErrorStates();
  const nameOf = useDeployableName();
  const { shape, words } = states[group.state];
  return (
    <>
      <td>
        <button
          type="button"
          className={`p-plain ${classes.open}`}
          aria-label={`${titleOf(group)}, ${placeOf(group)}`}
          onClick={onOpen}
        >
          <bdi className={table.name}>{titleOf(group)}</bdi>
          <bdi className={table.second}>{placeOf(group)}</bdi>
        </button>
      </td>
      <td>{nameOf(group.deployable)}</td>
      <td>
        <HoursSpark hours={group.hours} />
      </td>
      <td className={table.figure} data-label={t(labels.events)}>
        {number(group.count)}
      </td>
      <td className={table.figure} data-label={t(labels.people)}>
        {group.people < mostPeople
          ? number(group.people)
          : t({ id: 'installation.errors.atLeast', defaultMessage: '{count}+' }, { count: number(group.people) })}
      </td>
      <td className={table.quiet} title={exact(group.lastAt)}>
        {ago(group.lastAt)}
      </td>
      <td>
        <Status kind={shape}>{words}</Status>
      </td>
    </>
  );
}
