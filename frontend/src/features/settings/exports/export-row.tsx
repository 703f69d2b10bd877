import { Button } from '@mantine/core';
import type { ChatExport, ExportFailure } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormats } from '../../../lib/formats.ts';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { StatusShape, type StatusKind } from '../../../ui/status-shape.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import classes from './exports.module.css';
import { isPending, saveExport } from './exports.ts';

type Props = {
  readonly item: ChatExport;
  /** The password has to be entered before it can be downloaded. */
  readonly onPassword: () => void;
  readonly onDelete: () => void;
};

const shapes: Readonly<Record<ChatExport['status'], StatusKind>> = {
  waiting: 'waiting',
  writing: 'running',
  ready: 'ok',
  failed: 'bad',
};

/** An export with its state, and what can be done with it. */
export function ExportRow({ item, onPassword, onDelete }: Props) {
  const { minute, exact } = useFormats();
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <span className={classes.when} title={exact(item.createdAt)}>
          <StatusShape kind={shapes[item.status]} />
          <bdi>{minute(item.createdAt)}</bdi>
        </span>
        <StateWords item={item} />
      </div>
      <div className={classes.acts}>
        {isPending(item) ? <StopButton item={item} /> : null}
        {item.status === 'ready' ? <DownloadButton item={item} onPassword={onPassword} /> : null}
        {isPending(item) ? null : <DeleteButton item={item} onDelete={onDelete} />}
      </div>
    </li>
  );
}

function StateWords({ item }: { item: ChatExport }) {
  const { t } = useText();
  const { size, date } = useFormats();
  const failures = useFailures();
  const { status, progress, failure, chats, files, bytes, expiresAt } = item;
  if (status === 'waiting' || (status === 'writing' && !progress))
    return (
      <span className="p-sm p-quiet">
        {t({ id: 'settings.data.export.waiting', defaultMessage: 'Starts shortly' })}
      </span>
    );
  if (progress) {
    const words = t(
      {
        id: 'settings.data.export.writing',
        defaultMessage: '{of, plural, one {Exported {done} of # chat} other {Exported {done} of # chats}}',
      },
      progress,
    );
    return (
      <span className="p-sm p-quiet">
        {words}
        <ProgressBar className={classes.progress} value={progress.done} of={progress.of} label={words} />
      </span>
    );
  }
  if (status === 'failed')
    return <span className={`p-sm ${classes.failed}`}>{failures[failure ?? 'interrupted']}</span>;
  return (
    <span className="p-sm p-quiet">
      {t(
        {
          id: 'settings.data.export.chats',
          defaultMessage: '{chats, plural, =0 {No chats} one {# chat} other {# chats}}',
        },
        { chats },
      )}
      {' · '}
      {t(
        {
          id: 'settings.data.export.files',
          defaultMessage: '{files, plural, =0 {No files} one {# file} other {# files}}',
        },
        { files },
      )}
      {' · '}
      <bdi>{size(bytes)}</bdi>
      {' · '}
      {t(
        { id: 'settings.data.export.until', defaultMessage: 'Available until {day}' },
        { day: expiresAt ? date(expiresAt) : '' },
      )}
    </span>
  );
}

function useFailures(): Readonly<Record<ExportFailure, string>> {
  const { t } = useText();
  return {
    'over-quota': t({
      id: 'settings.data.export.overQuota',
      defaultMessage: 'The export doesn’t fit into your organisation’s storage quota. Ask an admin to raise it.',
    }),
    'disk-full': t({
      id: 'settings.data.export.diskFull',
      defaultMessage: 'The server’s disk is full. Ask a platform admin to make room, then try again.',
    }),
    'access-lost': t({
      id: 'settings.data.export.accessLost',
      defaultMessage: 'Your access to chats ended while the export was in progress.',
    }),
    interrupted: t({
      id: 'settings.data.export.interrupted',
      defaultMessage: 'The export was interrupted three times. Try again.',
    }),
  };
}

function StopButton({ item }: Pick<Props, 'item'>) {
  const { t } = useText();
  const off = useActionOff();
  const showError = useErrorToast();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const stop = useMutation({
    mutationFn: () => api('DELETE /api/chat/exports/:exportId', { orgId, params: { exportId: item.id } }),
    onError: (error) => {
      if (!isProblem(error, 'chat.export-not-found')) showError(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('exports', orgId) }),
  });
  return (
    <Button variant="default" size="xs" loading={stop.isPending} onClick={() => stop.mutate()} {...off}>
      {t({ id: 'settings.data.export.stop', defaultMessage: 'Stop export' })}
    </Button>
  );
}

function DownloadButton({ item, onPassword }: Pick<Props, 'item' | 'onPassword'>) {
  const { t } = useText();
  const { minute } = useFormats();
  const off = useActionOff();
  const showError = useErrorToast();
  const orgId = useTab().organisation.id;
  const ask = useMutation({
    mutationFn: () => api('GET /api/auth/confirm'),
    onSuccess: ({ confirmedUntil }) => (confirmedUntil ? saveExport(orgId, item.id) : onPassword()),
    onError: showError,
  });
  const label = t(
    { id: 'settings.data.export.downloadOf', defaultMessage: 'Download export of {time}' },
    { time: minute(item.createdAt) },
  );
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={label}
      loading={ask.isPending}
      onClick={() => ask.mutate()}
      {...off}
    >
      {t({ id: 'settings.data.export.download', defaultMessage: 'Download' })}
    </Button>
  );
}

function DeleteButton({ item, onDelete }: Pick<Props, 'item' | 'onDelete'>) {
  const { t } = useText();
  const { minute } = useFormats();
  const off = useActionOff();
  const label = t(
    { id: 'settings.data.export.deleteOf', defaultMessage: 'Delete export of {time}' },
    { time: minute(item.createdAt) },
  );
  return (
    <Button variant="subtle" size="xs" aria-label={label} onClick={onDelete} {...off}>
      {t({ id: 'settings.data.export.delete', defaultMessage: 'Delete' })}
    </Button>
  );
}
