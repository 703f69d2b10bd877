import type { MonitoringNow } from '@parley/contracts';
import { useEffect, useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useLiveStatus } from '../../../lib/live.tsx';
import { useText } from '../../../lib/text.ts';
import { Figure, FigureStrip } from '../../../ui/figure-strip.tsx';
import { Note } from '../../../ui/note.tsx';
import classes from '../org-monitoring.module.css';
import { useSeconds } from '../use-seconds.ts';
import { Spark } from './spark.tsx';

/** So long without a second, and the figures are shown as old. */
const patienceMs = 5_000;
type Seconds = readonly MonitoringNow[];

/** The organisation in six figures, each second. */
export function NowStrip({ ticks }: { ticks: Seconds }) {
  const { t } = useText();
  const formats = useFormats();
  const seconds = useSeconds();
  const now = ticks.at(-1);
  const isLate = useIsLate(now);
  const dash = '–';
  const figure = (value: number | null | undefined, digits = 0) =>
    typeof value === 'number' ? formats.number(Number(value.toFixed(digits))) : dash;
  const people = t(
    { id: 'monitoring.now.people', defaultMessage: '{count, plural, one {person} other {people}}' },
    { count: now?.online ?? 0 },
  );
  const answers = t(
    { id: 'monitoring.now.answers', defaultMessage: '{count, plural, one {answer} other {answers}}' },
    { count: now?.running ?? 0 },
  );
  const waiting = t({ id: 'monitoring.now.queued', defaultMessage: '{count} queued' }, { count: figure(now?.queued) });
  const slowest = t(
    { id: 'monitoring.now.p95', defaultMessage: 'p95 {value}' },
    { value: typeof now?.firstTokenP95Ms === 'number' ? seconds(now.firstTokenP95Ms) : dash },
  );
  return (
    <>
      <FigureStrip isOld={isLate}>
        <Figure
          label={t({ id: 'monitoring.now.online', defaultMessage: 'Online' })}
          value={figure(now?.online)}
          unit={people}
        >
          <Spark values={ticks.map(({ online }) => online)} />
        </Figure>
        <Figure
          label={t({ id: 'monitoring.now.running', defaultMessage: 'Running' })}
          value={figure(now?.running)}
          unit={answers}
        >
          <Spark values={ticks.map(({ running }) => running)} />
          <span>{waiting}</span>
        </Figure>
        <Figure
          label={t({ id: 'monitoring.now.speed', defaultMessage: 'Speed' })}
          value={figure(now?.tokensPerSecond)}
          unit={t({ id: 'monitoring.now.tokensPerSecond', defaultMessage: 'tokens/s' })}
        >
          <Spark values={ticks.map(({ tokensPerSecond }) => tokensPerSecond)} />
        </Figure>
        <Figure
          label={t({ id: 'monitoring.now.firstToken', defaultMessage: 'First token' })}
          value={typeof now?.firstTokenP50Ms === 'number' ? seconds(now.firstTokenP50Ms) : dash}
        >
          <Spark values={ticks.map(({ firstTokenP50Ms }) => firstTokenP50Ms)} />
          <span>{slowest}</span>
        </Figure>
        <Figure
          label={t({ id: 'monitoring.now.errors', defaultMessage: 'Errors' })}
          value={figure(now?.errorsPerMinute, 1)}
          unit={t({ id: 'monitoring.now.perMinute', defaultMessage: 'a min' })}
        >
          <Spark values={ticks.map(({ errorsPerMinute }) => errorsPerMinute)} isBad />
        </Figure>
        <SpendCell spend={now?.spendToday ?? null} />
      </FigureStrip>
      {isLate ? (
        <div className={classes.old}>
          <Note kind="warning">
            {now
              ? t(
                  {
                    id: 'monitoring.now.old',
                    defaultMessage:
                      'These figures are of {time}. They go on by themselves as soon as the server tells more.',
                  },
                  { time: formats.exact(now.at) },
                )
              : t({
                  id: 'monitoring.now.none',
                  defaultMessage: 'The server has not told what happens now yet. This goes on by itself.',
                })}
          </Note>
        </div>
      ) : null}
    </>
  );
}

function SpendCell({ spend }: { spend: MonitoringNow['spendToday'] }) {
  const { t, intl } = useText();
  const { cost } = useFormats();
  const title = t({ id: 'monitoring.now.spendDay', defaultMessage: 'Since midnight in the organisation’s time zone' });
  const unpriced = spend?.unpricedAttempts ?? 0;
  const value = spend?.currency ? cost(spend.costMicros, spend.currency) : '–';
  const about = !spend
    ? null
    : spend.currency === null
      ? t({ id: 'monitoring.now.noPrices', defaultMessage: 'no prices yet' })
      : unpriced > 0
        ? t(
            { id: 'monitoring.now.unpriced', defaultMessage: '{count} without a price' },
            { count: intl.formatNumber(unpriced) },
          )
        : null;
  return (
    <Figure label={t({ id: 'monitoring.now.spend', defaultMessage: 'Spend today' })} value={value} title={title}>
      {about ? <span>{about}</span> : null}
    </Figure>
  );
}

/** While the connection itself is lost the page says that already. */
function useIsLate(now: MonitoringNow | undefined): boolean {
  const isLive = useLiveStatus() === 'live';
  const [late, setLate] = useState<MonitoringNow | 'none' | null>(null);
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setTimeout(() => setLate(now ?? 'none'), patienceMs);
    return () => clearTimeout(timer);
  }, [now, isLive]);
  return isLive && late === (now ?? 'none');
}
