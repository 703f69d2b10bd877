import { Button } from '@mantine/core';
import type { ErrorGroup } from '@parley/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { api, type Answer } from '../../../lib/http.ts';
import { pollEvery } from '../../../lib/poll.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { ErrorFacts } from './error-facts.tsx';
import { placeOf, titleOf } from './error-names.ts';
import { ErrorStack } from './error-stack.tsx';
import classes from './errors.module.css';

const refetchMs = 2_000;

/** One group: how it stands, and its last reports one at a time. */
export function ErrorPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useText();
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('collected-errors', null, 'one', id),
    queryFn: ({ signal }) =>
      api('GET /api/monitoring/collected-errors/:errorGroupId', { params: { errorGroupId: id }, signal }),
    refetchInterval: pollEvery(refetchMs),
  });
  const title = data ? titleOf(data) : t({ id: 'installation.errors.error', defaultMessage: 'Error' });
  return (
    <SidePanel title={title} onClose={onClose}>
      {data ? <Group group={data} /> : null}
      {error && !data ? (
        <FailureView
          title={t({ id: 'installation.errors.oneFailed', defaultMessage: 'This error could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : null}
    </SidePanel>
  );
}

function Group({ group }: { group: Answer<'GET /api/monitoring/collected-errors/:errorGroupId'> }) {
  const { t } = useText();
  const [shown, setShown] = useState<string | null>(null);
  const { samples } = group;
  const at = Math.max(
    0,
    samples.findIndex(({ eventId }) => eventId === shown),
  );
  const sample = samples[at];
  const move = (by: number) => setShown(samples[at + by]?.eventId ?? null);
  return (
    <>
      <p className={classes.place}>
        <bdi>{placeOf(group)}</bdi>
      </p>
      <StateButton group={group} />
      <ErrorFacts group={group} sample={sample} />
      {sample ? <ErrorStack errors={sample.errors} /> : null}
      {samples.length > 1 ? (
        <div className={classes.pager}>
          <Button variant="default" size="xs" disabled={at === 0} onClick={() => move(-1)}>
            {t({ id: 'installation.errors.newer', defaultMessage: 'Newer' })}
          </Button>
          <span>
            {t(
              { id: 'installation.errors.report', defaultMessage: 'Report {at} of the last {count}' },
              { at: at + 1, count: samples.length },
            )}
          </span>
          <Button variant="default" size="xs" disabled={at === samples.length - 1} onClick={() => move(1)}>
            {t({ id: 'installation.errors.older', defaultMessage: 'Older' })}
          </Button>
        </div>
      ) : null}
      <p className={classes.scrubbed}>
        <ShieldCheck size={14} />
        {t({
          id: 'installation.errors.scrubbed',
          defaultMessage: 'Scrubbed: no text, email address or token is kept.',
        })}
      </p>
    </>
  );
}

function StateButton({ group: { id, state } }: { group: ErrorGroup }) {
  const { t } = useText();
  const client = useQueryClient();
  const showError = useErrorToast();
  const off = useActionOff();
  const isResolved = state === 'resolved';
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      api('PUT /api/monitoring/collected-errors/:errorGroupId/state', {
        params: { errorGroupId: id },
        body: { state: isResolved ? 'open' : 'resolved' },
        retries: 2,
      }),
    onError: showError,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('collected-errors', null) }),
  });
  return (
    <div>
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()} {...off}>
        {isResolved
          ? t({ id: 'installation.errors.reopen', defaultMessage: 'Reopen' })
          : t({ id: 'installation.errors.resolve', defaultMessage: 'Resolve' })}
      </Button>
    </div>
  );
}
