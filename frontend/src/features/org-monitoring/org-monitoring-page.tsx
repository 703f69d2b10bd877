import type { MetricSpan } from '@parley/contracts';
import { useText } from '../../lib/text.ts';
import { useUrlFilters } from '../../lib/url-filters.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { LivePage } from '../../ui/page.tsx';
import { NowStrip } from './components/now-strip.tsx';
import { RunningAnswers } from './components/running-answers.tsx';
import { SpanChoice } from './components/span-choice.tsx';
import { Trends } from './components/trends.tsx';
import classes from './org-monitoring.module.css';
import { useNow } from './use-now.ts';

const spans = ['hour', 'day', 'week', 'month'] as const satisfies readonly MetricSpan[];
const dimensions = ['model', 'provider', 'chatbot'] as const;

/** What happens in the organisation now, and how it was. */
export function OrgMonitoringPage() {
  const { t } = useText();
  const title = t({ id: 'monitoring.page.title', defaultMessage: 'Monitoring' });
  const [filters, setFilters] = useUrlFilters({ span: spans, by: dimensions });
  const span = filters.span ?? 'day';
  const by = filters.by ?? 'model';
  const isSmall = useMediaQuery('(max-width: 699px)');
  const choice = <SpanChoice span={span} onChange={(next) => setFilters({ span: next })} />;
  const seconds = useNow();
  const now = seconds.at(-1);
  return (
    <LivePage title={title} actions={isSmall ? null : choice}>
      <NowStrip ticks={seconds} />
      {isSmall ? <div className={classes.choice}>{choice}</div> : null}
      <Trends span={span} by={by} onBy={(next) => setFilters({ by: next })}>
        <RunningAnswers busy={now ? now.running + now.queued : null} />
      </Trends>
    </LivePage>
  );
}
