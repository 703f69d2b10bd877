import type { Rate } from '@parley/contracts';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import type { Column } from '../../ui/list-table.tsx';
import table from '../../ui/table.module.css';

type Shown = Pick<
  Rate,
  'model' | 'host' | 'inputMicros' | 'cachedMicros' | 'outputMicros' | 'validFrom' | 'validUntil'
>;
type Props = { rate: Shown; currency: string };

function useLabels() {
  const { t } = useText();
  return {
    model: t({ id: 'sales.rate.model', defaultMessage: 'Model' }),
    input: t({ id: 'sales.rate.input', defaultMessage: 'Input' }),
    cached: t({ id: 'sales.rate.cached', defaultMessage: 'Cached input' }),
    output: t({ id: 'sales.rate.output', defaultMessage: 'Output' }),
    from: t({ id: 'sales.rate.from', defaultMessage: 'From' }),
    until: t({ id: 'sales.rate.until', defaultMessage: 'Until' }),
  };
}

/** Returns the columns of the price table, in the order of the cells. */
export function useRateColumns(): Column[] {
  const labels = useLabels();
  return [
    { key: 'model', label: labels.model },
    { key: 'input', label: labels.input, isFigure: true },
    { key: 'cached', label: labels.cached, isFigure: true },
    { key: 'output', label: labels.output, isFigure: true },
    { key: 'from', label: labels.from },
    { key: 'until', label: labels.until },
  ];
}

/** Shows the price of a million tokens and when it is valid. */
export function RateCells({ rate, currency }: Props) {
  const { t } = useText();
  const { price, date, exact } = useFormats();
  const labels = useLabels();
  const { model, host, validFrom, validUntil } = rate;
  const figures = [
    ['input', rate.inputMicros],
    ['cached', rate.cachedMicros],
    ['output', rate.outputMicros],
  ] as const;
  return (
    <>
      <td>
        <bdi className={table.name} dir="ltr">
          {model}
        </bdi>
        <bdi className={table.second}>
          {host ?? t({ id: 'sales.rate.everywhere', defaultMessage: 'at every provider' })}
        </bdi>
      </td>
      {figures.map(([name, micros]) => (
        <td key={name} className={table.figure} data-label={labels[name]}>
          {price(micros, currency)}
        </td>
      ))}
      <td className={table.quiet} title={exact(validFrom)} data-label={labels.from}>
        {date(validFrom)}
      </td>
      <td className={table.quiet} title={validUntil ? exact(validUntil) : undefined} data-label={labels.until}>
        {validUntil ? date(validUntil) : t({ id: 'sales.rate.open', defaultMessage: 'no end' })}
      </td>
    </>
  );
}
