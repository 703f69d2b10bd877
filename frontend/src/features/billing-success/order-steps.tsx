import type { Order } from '@parley/contracts';
import { Check } from 'lucide-react';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import { StatusShape } from '../../ui/status-shape.tsx';
import classes from './billing-success.module.css';

type Step = {
  readonly name: string;
  readonly words: string;
  readonly doneAt: string | null;
  readonly since: string | null;
};

/** What has happened with its time, what happens now since when, and what comes. */
export function OrderSteps({ order, now }: { order: Order; now: number }) {
  const { t } = useText();
  const { clock, seconds } = useFormats();
  const { placedAt, decidedAt, raised, seats } = order;
  const steps: Step[] = [
    {
      name: 'received',
      words: t({ id: 'billing.success.received', defaultMessage: 'Order received' }),
      doneAt: placedAt,
      since: null,
    },
    {
      name: 'confirms',
      words: t({
        id: 'billing.success.confirms',
        defaultMessage: 'A platform admin confirms it, the invoice is written',
      }),
      doneAt: decidedAt,
      since: placedAt,
    },
    {
      name: 'rises',
      words: t(
        {
          id: 'billing.success.rises',
          defaultMessage: 'The limit rises by {seats, plural, one {# seat} other {# seats}}',
        },
        { seats },
      ),
      doneAt: raised?.at ?? null,
      since: decidedAt,
    },
  ];
  return (
    <ol className={classes.steps}>
      {steps.map(({ name, words, doneAt, since }) => (
        <li key={name} className={classes.step} data-ahead={(!doneAt && !since) || undefined}>
          {doneAt ? (
            <Check size={14} strokeWidth={2} className={classes.done} />
          ) : (
            <StatusShape kind={since ? 'running' : 'waiting'} />
          )}
          <span>{words}</span>
          <span className="p-meta p-figures">
            {doneAt
              ? clock(doneAt)
              : since
                ? seconds(Math.max(0, Math.floor((now - Date.parse(since)) / 1_000)) * 1_000)
                : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}
