import type { Answer } from '../../../lib/http.ts';
import type { RateLineFault } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';

export type Report = Answer<'POST /api/billing/rates/import'>;

const mostShown = 20;

/** What a table of prices would do, or by line what is wrong with it. */
export function ImportReport({ report: { added, ended, unchanged, faults } }: { report: Report }) {
  const { t } = useText();
  const words = useFaultWords();
  if (faults.length === 0)
    return (
      <Note kind="info">
        {t(
          {
            id: 'installation.prices.report',
            defaultMessage: 'New: {added, number}. Ended by them: {ended, number}. Already there: {unchanged, number}.',
          },
          { added, ended, unchanged },
        )}
      </Note>
    );
  return (
    <Note kind="danger" isAlert>
      {t(
        {
          id: 'installation.prices.faults',
          defaultMessage:
            '{count, plural, one {# line is wrong} other {# lines are wrong}}; no price is added until all are right.',
        },
        { count: faults.length },
      )}
      <ul style={{ margin: 'revert', padding: 'revert', listStyle: 'revert' }}>
        {faults.slice(0, mostShown).map(({ line, fault }) => (
          <li key={line}>
            {t(
              { id: 'installation.prices.line', defaultMessage: 'Line {line, number}: {fault}' },
              { line, fault: words[fault] },
            )}
          </li>
        ))}
      </ul>
    </Note>
  );
}

function useFaultWords(): Record<RateLineFault, string> {
  const { t } = useText();
  return {
    columns: t({
      id: 'installation.prices.fault.columns',
      defaultMessage: 'the columns aren’t model, input, output and the optional ones',
    }),
    host: t({ id: 'installation.prices.fault.host', defaultMessage: 'not a host, such as api.example.com' }),
    model: t({ id: 'installation.prices.fault.model', defaultMessage: 'the model is missing or too long' }),
    price: t({
      id: 'installation.prices.fault.price',
      defaultMessage: 'a price is missing, above 100,000, or not like 2.50',
    }),
    date: t({ id: 'installation.prices.fault.date', defaultMessage: 'a date is not like 2026-12-01' }),
    past: t({
      id: 'installation.prices.fault.past',
      defaultMessage: 'it would begin in the past; leave valid_from empty for now',
    }),
    'ends-before': t({ id: 'installation.prices.fault.ends', defaultMessage: 'it ends before it begins' }),
    overlaps: t({ id: 'installation.prices.fault.overlaps', defaultMessage: 'there is a price for this time' }),
    twice: t({
      id: 'installation.prices.fault.twice',
      defaultMessage: 'a line above says another price for this time',
    }),
  };
}
