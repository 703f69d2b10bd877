import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Clock, LogOut } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FailureView } from '../../../ui/failure-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { EndedSessions } from './ended-sessions.tsx';
import { SessionTable } from './session-table.tsx';
import classes from '../parts/settings.module.css';

const sessionsQuery = queryOptions({
  queryKey: resourceKey('sessions', null),
  queryFn: ({ signal }) => api('GET /api/auth/sessions', { signal }),
});

/** Where one is signed in, and where one was until lately. */
export function SessionsTab() {
  const { t } = useText();
  const { data, error, refetch } = useQuery(sessionsQuery);
  if (error && !data)
    return (
      <FailureView
        title={t({ id: 'settings.sessions.failed', defaultMessage: 'The sessions could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data)
    return <SkeletonRows label={t({ id: 'settings.sessions.loading', defaultMessage: 'The sessions are loading' })} />;
  return (
    <>
      <div className={table.bar}>
        <Clock className={classes.ruleIcon} />
        <p className={`p-sm p-quiet ${classes.rule}`}>
          {t({
            id: 'settings.sessions.rule',
            defaultMessage: 'A session ends after 12 hours without use, and after 30 days in any case.',
          })}
        </p>
        <EndOthers count={data.items.filter(({ isThis }) => !isThis).length} />
      </div>
      <SessionTable items={data.items} />
      {data.ended.length > 0 ? <EndedSessions items={data.ended} /> : null}
      <DoYouKnowThem />
    </>
  );
}

function EndOthers({ count }: { count: number }) {
  const { t } = useText();
  const client = useQueryClient();
  const off = useActionOff();
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => api('DELETE /api/auth/other-sessions', { retries: 2 }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      setAsking(false);
    },
  });
  if (count === 0 && !isAsking) return null;
  const label = t(
    { id: 'settings.sessions.endOthers', defaultMessage: '{count, plural, one {End # other} other {End # others}}' },
    { count },
  );
  return (
    <>
      <Button
        variant="default"
        c="var(--p-danger)"
        leftSection={<LogOut className="p-mirror" />}
        onClick={() => setAsking(true)}
        {...off}
      >
        {label}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={t({ id: 'settings.sessions.endTitle', defaultMessage: 'End all other sessions' })}
          confirm={label}
          act={end}
          onConfirm={() => end.mutate()}
          onClose={() => setAsking(false)}
        >
          {t({
            id: 'settings.sessions.endText',
            defaultMessage: 'They are signed out within a second. This session stays.',
          })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function DoYouKnowThem() {
  const { rich } = useText();
  const [search] = useSearchParams();
  const slug = search.get('org');
  const to = { search: new URLSearchParams({ tab: 'security', ...(slug && { org: slug }) }).toString() };
  return (
    <p className={table.foot}>
      {rich(
        {
          id: 'settings.sessions.unknown',
          defaultMessage: 'A session that you do not know? <link>Change your password</link>, which ends all others.',
        },
        {
          link: (words) => (
            <Link key="link" to={to} className="p-link">
              {words}
            </Link>
          ),
        },
      )}
    </p>
  );
}
