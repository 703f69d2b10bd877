import { Button } from '@mantine/core';
import type { Connection } from '@parley/contracts';
import { RotateCw } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { AllowAddress } from '../../../ui/allow-address.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { addressOf } from '../connection-draft.ts';
import { doneOf, useSourceFailures } from '../connection-words.ts';
import { useConnectionCommands } from '../use-connections.ts';
import classes from './funnel.module.css';

/** How far a sync is, or how the last one ended: counts from what was found to what failed. */
export function SyncFunnel({ connection, mayManage }: { connection: Connection; mayManage: boolean }) {
  const { t } = useText();
  const { number } = useFormats();
  const off = useActionOff();
  const { retry } = useConnectionCommands(connection);
  const { progress, lastSync, documents, source } = connection;
  const counts = progress ?? lastSync;
  const cells = [
    [t({ id: 'documents.funnel.found', defaultMessage: 'Found' }), counts?.found],
    [t({ id: 'documents.funnel.unchanged', defaultMessage: 'Unchanged' }), counts?.unchanged],
    [t({ id: 'documents.funnel.fetched', defaultMessage: 'Fetched' }), counts?.fetched],
    [t({ id: 'documents.funnel.searchable', defaultMessage: 'Searchable' }), documents.searchable],
    [t({ id: 'documents.funnel.removed', defaultMessage: 'Removed' }), counts?.removed],
    [t({ id: 'documents.funnel.failed', defaultMessage: 'Failed' }), documents.failed],
  ] as const;
  if (source.kind === 'upload' && documents.failed === 0) return null;
  return (
    <section className={classes.funnel} aria-label={t({ id: 'documents.funnel.label', defaultMessage: 'Sync' })}>
      {progress ? <Progress progress={progress} /> : null}
      <div className={`p-meta ${classes.cells}`}>
        {cells.map(([label, value], at) =>
          value === undefined ? null : (
            <div key={label} data-bad={(at === cells.length - 1 && value > 0) || undefined}>
              <span>{label}</span>
              <b>{number(value)}</b>
            </div>
          ),
        )}
        {mayManage && documents.failed > 0 ? (
          <Button
            className={classes.retry ?? ''}
            size="xs"
            variant="default"
            leftSection={<RotateCw size={14} />}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
            {...off}
          >
            {t(
              { id: 'documents.funnel.retry', defaultMessage: 'Retry {count, number} failed' },
              { count: documents.failed },
            )}
          </Button>
        ) : null}
      </div>
      <Notes connection={connection} mayManage={mayManage} />
    </section>
  );
}

function Progress({ progress }: { progress: NonNullable<Connection['progress']> }) {
  const { t } = useText();
  const done = doneOf(progress);
  return (
    <>
      <p className="p-sm p-figures">
        {t(
          {
            id: 'documents.funnel.progress',
            defaultMessage: '{done, number} of {found, plural, one {# document} other {# documents}} found so far',
          },
          { done, found: progress.found },
        )}
      </p>
      <progress
        className={classes.bar}
        value={done}
        max={Math.max(progress.found, 1)}
        aria-label={t({ id: 'documents.funnel.label', defaultMessage: 'Sync' })}
      />
    </>
  );
}

/** What needs somebody: a source that failed, or documents that are gone from it. */
function Notes({ connection, mayManage }: { connection: Connection; mayManage: boolean }) {
  const { t } = useText();
  const { exact } = useFormats();
  const off = useActionOff();
  const failures = useSourceFailures();
  const { decide, sync } = useConnectionCommands(connection);
  const { state, source, removal, lastSync, nextSyncAt } = connection;
  const isPlatformAdmin = useTab().me.platformRole === 'admin';
  if (state === 'failing' && lastSync?.failure === 'not-allowed' && mayManage && isPlatformAdmin)
    return <AllowAddress url={addressOf(source)} onAllowed={() => sync.mutate()} />;
  if (state === 'failing' && lastSync?.failure)
    return (
      <Note
        kind="danger"
        actions={
          mayManage ? (
            <Button size="xs" variant="default" loading={sync.isPending} onClick={() => sync.mutate()} {...off}>
              {t({ id: 'documents.funnel.tryNow', defaultMessage: 'Try the source now' })}
            </Button>
          ) : null
        }
      >
        {failures[lastSync.failure]}
        {nextSyncAt ? (
          <> {t({ id: 'documents.funnel.next', defaultMessage: 'Next try: {time}.' }, { time: exact(nextSyncAt) })}</>
        ) : null}
      </Note>
    );
  if (!removal || state === 'syncing') return null;
  return (
    <Note
      kind="warning"
      actions={
        mayManage ? (
          <>
            <Button
              size="xs"
              variant="default"
              loading={decide.isPending}
              onClick={() => decide.mutate(false)}
              {...off}
            >
              {t({ id: 'documents.removal.keep', defaultMessage: 'Keep them for now' })}
            </Button>
            <Button
              size="xs"
              variant="default"
              color="red"
              loading={decide.isPending}
              onClick={() => decide.mutate(true)}
              {...off}
            >
              {t(
                {
                  id: 'documents.removal.remove',
                  defaultMessage: 'Remove {count, plural, one {# document} other {# documents}}',
                },
                { count: removal.count },
              )}
            </Button>
          </>
        ) : null
      }
    >
      {t(
        {
          id: 'documents.removal.text',
          defaultMessage:
            '{count, number} of {of, number} documents are not in the source any more. That is more than a tenth, so nothing was removed yet: answers go on quoting them.',
        },
        removal,
      )}
    </Note>
  );
}
