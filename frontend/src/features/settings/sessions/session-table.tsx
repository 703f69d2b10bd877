import { Button } from '@mantine/core';
import type { OwnSession } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { leaveSession } from '../../../domain/session/own-session.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import { useErrorToast } from '../../../ui/error-toast.ts';
import classes from '../parts/settings.module.css';
import { useDeviceWords } from './use-device-words.ts';
import { Status } from '../../../ui/list-table.tsx';

/** Devices are group rows, their sessions stand below. */
export function SessionTable({ items }: { items: readonly OwnSession[] }) {
  const { t } = useText();
  const words = useDeviceWords();
  const devices = Map.groupBy(items, ({ userAgent }) => words(userAgent).device);
  return (
    <table className={`p-sm ${table.table} p-data`}>
      <thead>
        <tr>
          <th>{t({ id: 'settings.column.session', defaultMessage: 'Session' })}</th>
          <th>{t({ id: 'settings.column.from', defaultMessage: 'Network' })}</th>
          <th>{t({ id: 'settings.column.since', defaultMessage: 'Signed in' })}</th>
          <th>{t({ id: 'settings.column.used', defaultMessage: 'Last use' })}</th>
          <th>
            <span className="p-hidden">{t({ id: 'settings.column.actions', defaultMessage: 'Actions' })}</span>
          </th>
        </tr>
      </thead>
      {[...devices].map(([device, sessions]) => (
        <tbody key={device}>
          <GroupRow device={device} userAgent={sessions[0]?.userAgent ?? null} />
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function GroupRow({ device, userAgent }: { device: string; userAgent: string | null }) {
  const { icon: Icon } = useDeviceWords()(userAgent);
  return (
    <tr className={classes.group}>
      <th colSpan={5} scope="rowgroup">
        <span className={classes.device}>
          <Icon size={14} />
          {device}
        </span>
      </th>
    </tr>
  );
}

function SessionRow({ session }: { session: OwnSession }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const { browser } = useDeviceWords()(session.userAgent);
  return (
    <tr data-current={session.isThis || undefined}>
      <td>
        <span className={classes.session}>
          <bdi className={table.name}>{browser}</bdi>
          {session.isThis ? (
            <span className={classes.here}>{t({ id: 'settings.row.here', defaultMessage: 'This one' })}</span>
          ) : null}
        </span>
      </td>
      <td data-label={t({ id: 'settings.column.from', defaultMessage: 'Network' })}>
        <Network network={session.network} />
      </td>
      <td
        className={table.quiet}
        title={exact(session.createdAt)}
        data-label={t({ id: 'settings.column.since', defaultMessage: 'Signed in' })}
      >
        {ago(session.createdAt)}
      </td>
      <td title={exact(session.lastUsedAt)} data-label={t({ id: 'settings.column.used', defaultMessage: 'Last use' })}>
        {session.isThis ? (
          <Status kind="live">{t({ id: 'settings.row.now', defaultMessage: 'Now' })}</Status>
        ) : (
          ago(session.lastUsedAt)
        )}
      </td>
      <td className={table.actions}>
        <div className={table.rowActions}>
          {session.isThis ? <SignOut /> : <End session={session} browser={browser} />}
        </div>
      </td>
    </tr>
  );
}

export function Network({ network }: { network: string | null }) {
  const { t } = useText();
  if (network === null) return t({ id: 'settings.row.noNetwork', defaultMessage: 'Not known' });
  return <bdi dir="ltr">{network}</bdi>;
}

function SignOut() {
  const { t } = useText();
  const client = useQueryClient();
  const showError = useErrorToast();
  const off = useActionOff();
  const leave = useMutation({
    mutationFn: () => leaveSession('DELETE /api/auth/sessions/current'),
    onSuccess: () => client.clear(),
    onError: showError,
  });
  return (
    <Button variant="subtle" size="xs" loading={leave.isPending} onClick={() => leave.mutate()} {...off}>
      {t({ id: 'shell.person.signOut', defaultMessage: 'Sign out' })}
    </Button>
  );
}

function End({ session: { id }, browser }: { session: OwnSession; browser: string }) {
  const { t } = useText();
  const client = useQueryClient();
  const showError = useErrorToast();
  const off = useActionOff();
  const end = useMutation({
    mutationFn: () => api('DELETE /api/auth/other-sessions/:sessionId', { params: { sessionId: id }, retries: 2 }),
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('sessions', null) }),
    onError: showError,
  });
  return (
    <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate()} {...off}>
      {t({ id: 'settings.row.end', defaultMessage: 'End' })}
      <span className="p-hidden">: {browser}</span>
    </Button>
  );
}
