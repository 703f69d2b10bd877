import { mostSearchOperators, type IgnoredOperator } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useText } from '../../lib/text.ts';
import classes from './search-palette.module.css';

type Props = { readonly wrong: readonly IgnoredOperator[]; readonly isFilling: boolean };

/** Says which operators don't count, and that the rest was searched all the same. */
export function SearchNotes({ wrong, isFilling }: Props) {
  const { t } = useText();
  const say = useReason();
  const isFirst = ({ operator, reason }: IgnoredOperator, at: number) =>
    at === wrong.findIndex((one) => one.reason === reason && (reason === 'too-many' || one.operator === operator));
  const notes = wrong.filter(isFirst).map(say);
  if (isFilling)
    notes.push(
      t({
        id: 'search.note.filling',
        defaultMessage: 'Parley is still preparing older messages for filters. Some may be missing.',
      }),
    );
  return (
    <div aria-live="polite" className={notes.length > 0 ? classes.notes : undefined}>
      {notes.map((note, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- notes have no state and no identity of their own
        <p key={at}>{note}</p>
      ))}
    </div>
  );
}

function useReason() {
  const { t, rich } = useText();
  const op = (parts: ReactNode[]) => <bdi dir="ltr">{parts}</bdi>;
  return ({ operator, reason }: IgnoredOperator): ReactNode => {
    const values = { operator, op };
    switch (reason) {
      case 'missing-value':
        return rich({ id: 'search.note.missing', defaultMessage: '<op>{operator}</op> needs a value.' }, values);
      case 'unknown-value':
        return rich(
          {
            id: 'search.note.unknown',
            defaultMessage:
              '<op>{operator}</op> was ignored. Use <op>from:me</op>, <op>from:chatbot</op>, <op>has:file</op> or <op>has:image</op>.',
          },
          values,
        );
      case 'unknown-project':
        return rich(
          {
            id: 'search.note.project',
            defaultMessage: '<op>{operator}</op> was ignored. You have no project with this name.',
          },
          values,
        );
      case 'impossible-date':
        return rich(
          {
            id: 'search.note.date',
            defaultMessage: '<op>{operator}</op> was ignored. Use a date such as <op>2026-11-01</op>.',
          },
          values,
        );
      case 'no-days':
        return rich(
          {
            id: 'search.note.days',
            defaultMessage:
              '<op>{operator}</op> was ignored. The date after <op>before:</op> must be later than the one after <op>after:</op>.',
          },
          values,
        );
      case 'repeated':
        return rich(
          { id: 'search.note.repeated', defaultMessage: '<op>{operator}</op> was ignored. Use this filter once.' },
          values,
        );
      default:
        return t(
          { id: 'search.note.many', defaultMessage: 'Only the first {count} filters are used.' },
          { count: mostSearchOperators },
        );
    }
  };
}
