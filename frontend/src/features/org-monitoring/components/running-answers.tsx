import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../lib/http.ts';
import { pollEvery } from '../../../lib/poll.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import classes from '../org-monitoring.module.css';
import { RunningTable } from './running-table.tsx';

/** Speeds change all the time; that an answer begins or ends is told by the strip's seconds. */
const refetchMs = 2_000;

/** The answers that are being written, or wait for it; `busy` is how many there are, as the last second told. */
export function RunningAnswers({ busy }: { busy: number | null }) {
  const { t } = useText();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('running-answers', orgId),
    queryFn: ({ signal }) => api('GET /api/monitoring/running-answers', { orgId, signal }),
    refetchInterval: pollEvery(refetchMs),
  });
  useEffect(() => {
    if (busy !== null) void client.invalidateQueries({ queryKey: resourceKey('running-answers', orgId) });
  }, [busy, client, orgId]);
  const title = t({ id: 'monitoring.running.title', defaultMessage: 'Running now' });
  return (
    <section aria-label={title} className={classes.running}>
      <header className={classes.partHead}>
        <h3 className="p-h3">{title}</h3>
        <span className="p-meta">{t({ id: 'monitoring.running.about', defaultMessage: 'without message text' })}</span>
      </header>
      {error && !data ? (
        <FailureView
          title={t({ id: 'monitoring.running.failed', defaultMessage: 'The running answers could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <RunningTable items={data.items} count={data.count} />
      ) : (
        <SkeletonRows
          count={2}
          label={t({ id: 'monitoring.running.loading', defaultMessage: 'The running answers are loading' })}
        />
      )}
    </section>
  );
}
