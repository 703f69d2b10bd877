import type { MetricDimension } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import { Segments } from '../../../ui/segments.tsx';
import table from '../../../ui/table.module.css';
import classes from '../org-monitoring.module.css';
import { usePartNames } from '../use-part-names.ts';
import { useSeconds } from '../use-seconds.ts';
import type { Metrics } from './metrics.ts';

type Props = { metrics: Metrics; by: MetricDimension; onBy: (by: MetricDimension) => void };
type Row = Metrics['total'] & { readonly id: string };

const everything = 'all';
/** All that a model read or wrote, for answers or vectors: what is paid for. */
export const tokensOf = ({ inputTokens, outputTokens, embeddingTokens }: Row['figures']): number =>
  inputTokens + outputTokens + embeddingTokens;

/** Everything, then each model, provider or chatbot, beside as long a time before. */
export function PartTable({ metrics, by, onBy }: Props) {
  const { t } = useText();
  const cells = useCells();
  const { labels } = cells;
  const first = {
    model: t({ id: 'monitoring.parts.model', defaultMessage: 'Model' }),
    provider: t({ id: 'monitoring.parts.provider', defaultMessage: 'Provider' }),
    chatbot: t({ id: 'monitoring.parts.chatbot', defaultMessage: 'Chatbot' }),
  }[by];
  const columns = [
    { key: 'part', label: first },
    ...Object.entries(labels).map(([key, label]) => ({ key, label, isFigure: true })),
  ];
  const title = t({ id: 'monitoring.parts.title', defaultMessage: 'Compared with the time before' });
  const choices = [
    { key: 'model', label: t({ id: 'monitoring.parts.byModel', defaultMessage: 'By model' }) },
    { key: 'provider', label: t({ id: 'monitoring.parts.byProvider', defaultMessage: 'By provider' }) },
    { key: 'chatbot', label: t({ id: 'monitoring.parts.byChatbot', defaultMessage: 'By chatbot' }) },
  ] as const;
  return (
    <section aria-label={title}>
      <header className={classes.partHead}>
        <h3 className="p-h3">{title}</h3>
        <Segments
          label={t({ id: 'monitoring.parts.by', defaultMessage: 'Split' })}
          options={choices.map(({ key, label }) => ({ value: key, label }))}
          value={by}
          onChange={onBy}
        />
      </header>
      <ListTable columns={columns} items={[{ id: everything, ...metrics.total }, ...metrics.parts]} cells={cells.of} />
    </section>
  );
}

function useCells() {
  const { t, intl } = useText();
  const { number } = useFormats();
  const seconds = useSeconds();
  const nameOf = usePartNames();
  const labels = {
    attempts: t({ id: 'monitoring.parts.attempts', defaultMessage: 'Attempts' }),
    failed: t({ id: 'monitoring.parts.failed', defaultMessage: 'Failed' }),
    cut: t({ id: 'monitoring.parts.cut', defaultMessage: 'Cut' }),
    tokens: t({ id: 'monitoring.parts.tokens', defaultMessage: 'Tokens' }),
    change: t({ id: 'monitoring.parts.change', defaultMessage: 'Change' }),
    median: t({ id: 'monitoring.parts.median', defaultMessage: 'First token' }),
    slowest: t({ id: 'monitoring.parts.p95', defaultMessage: 'p95' }),
  };
  const time = (ms: number | null) => (ms === null ? '–' : seconds(ms));
  /** Of what is over, and nothing where there was nothing before. */
  const change = ({ over, before }: Row) =>
    tokensOf(before) === 0
      ? '–'
      : intl.formatNumber(tokensOf(over) / tokensOf(before) - 1, {
          style: 'percent',
          signDisplay: 'exceptZero',
          maximumFractionDigits: 0,
        });
  const of = (row: Row) => {
    const { figures } = row;
    const values: Record<keyof typeof labels, string> = {
      attempts: number(figures.attempts),
      failed: number(figures.failed),
      cut: number(figures.cut),
      tokens: number(tokensOf(figures)),
      change: change(row),
      median: time(figures.firstTokenP50Ms),
      slowest: time(figures.firstTokenP95Ms),
    };
    return (
      <>
        <td>
          <bdi className={row.id === everything ? table.name : undefined}>
            {row.id === everything ? t({ id: 'monitoring.parts.all', defaultMessage: 'Everything' }) : nameOf(row.id)}
          </bdi>
        </td>
        {(Object.keys(labels) as (keyof typeof labels)[]).map((key) => (
          <td key={key} className={table.figure} data-label={labels[key]}>
            <bdi>{values[key]}</bdi>
            {key === 'tokens' && figures.embeddingTokens > 0 ? (
              <span className={table.second}>
                {t(
                  { id: 'monitoring.parts.vectors', defaultMessage: '{tokens, number} for vectors' },
                  { tokens: figures.embeddingTokens },
                )}
              </span>
            ) : null}
          </td>
        ))}
      </>
    );
  };
  return { labels, of };
}
