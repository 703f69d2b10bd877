import type { Audience, Connection, ConnectionSource, SyncFailure } from '@parley/contracts';
import { Cloud, FolderOpen, Globe, type LucideIcon } from 'lucide-react';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import { useGroups, useRoles } from '../../domain/role/use-roles.ts';
import type { StatusKind } from '../../ui/status-shape.tsx';

export const iconOf: Record<ConnectionSource['kind'], LucideIcon> = { upload: FolderOpen, web: Globe, bucket: Cloud };

/** What a connection is called: that for uploads has a name of its own only when somebody has given it one. */
export function useConnectionName(): (connection: Pick<Connection, 'name'>) => string {
  const { t } = useText();
  return ({ name }) => name || t({ id: 'documents.uploads.name', defaultMessage: 'Uploaded files' });
}

export function useSourceNames(): Record<ConnectionSource['kind'], string> {
  const { t } = useText();
  return {
    upload: t({ id: 'documents.source.upload', defaultMessage: 'Upload' }),
    web: t({ id: 'documents.source.web', defaultMessage: 'Web site' }),
    bucket: t({ id: 'documents.source.bucket', defaultMessage: 'S3 bucket' }),
  };
}

export function useScheduleNames(): Record<Connection['schedule'], string> {
  const { t } = useText();
  return {
    manual: t({ id: 'documents.schedule.manual', defaultMessage: 'When somebody asks' }),
    hourly: t({ id: 'documents.schedule.hourly', defaultMessage: 'Every hour' }),
    daily: t({ id: 'documents.schedule.daily', defaultMessage: 'Every day' }),
    weekly: t({ id: 'documents.schedule.weekly', defaultMessage: 'Every week' }),
  };
}

const shapes: Record<Connection['state'], StatusKind> = {
  ready: 'ok',
  waiting: 'waiting',
  syncing: 'running',
  asking: 'warning',
  paused: 'off',
  failing: 'bad',
  removing: 'waiting',
};

const isNew = ({ lastSync, source }: Connection): boolean => lastSync === null && source.kind !== 'upload';

/** How a connection is, in a shape, a word, and what to do about it. */
export function useStateWords(): (connection: Connection) => { shape: StatusKind; name: string; more: string | null } {
  const { t } = useText();
  const moreOf = useMore();
  const names: Record<Connection['state'], string> = {
    ready: t({ id: 'documents.state.ready', defaultMessage: 'In sync' }),
    waiting: t({ id: 'documents.state.waiting', defaultMessage: 'Waits for its turn' }),
    syncing: t({ id: 'documents.state.syncing', defaultMessage: 'Syncing' }),
    asking: t({ id: 'documents.state.asking', defaultMessage: 'Waits for you' }),
    paused: t({ id: 'documents.state.paused', defaultMessage: 'Paused' }),
    failing: t({ id: 'documents.state.failing', defaultMessage: 'Source failed' }),
    removing: t({ id: 'documents.state.removing', defaultMessage: 'Being removed' }),
  };
  return (connection) => {
    const { state, source } = connection;
    const more = moreOf(connection);
    if (state !== 'ready') return { shape: shapes[state], name: names[state], more };
    if (source.kind === 'upload')
      return { shape: 'ok', name: t({ id: 'documents.state.uploads', defaultMessage: 'Ready' }), more };
    if (isNew(connection))
      return { shape: 'waiting', name: t({ id: 'documents.state.never', defaultMessage: 'Not synced yet' }), more };
    return { shape: 'ok', name: names.ready, more };
  };
}

/** What stands below the word. */
function useMore(): (connection: Connection) => string | null {
  const { t } = useText();
  const failures = useSourceFailures();
  return ({ state, progress, lastSync, removal }) => {
    if (state === 'syncing' && progress)
      return t(
        { id: 'documents.state.progress', defaultMessage: '{done, number} of {found, number} so far' },
        { done: doneOf(progress), found: progress.found },
      );
    if (state === 'waiting')
      return t({ id: 'documents.state.waitingAbout', defaultMessage: 'One sync of an organisation runs at a time.' });
    if (state === 'asking' && removal)
      return t(
        {
          id: 'documents.state.askingAbout',
          defaultMessage: '{count, number} of {of, number} documents are gone from the source.',
        },
        removal,
      );
    if (state === 'failing' && lastSync?.failure) return failures[lastSync.failure];
    return state === 'ready' && lastSync?.isCut
      ? t({ id: 'documents.state.cut', defaultMessage: 'The source has more than this connection takes.' })
      : null;
  };
}

export const doneOf = ({ unchanged, fetched, failed }: NonNullable<Connection['progress']>): number =>
  unchanged + fetched + failed;

export function useSourceFailures(): Record<SyncFailure, string> {
  const { t } = useText();
  return {
    unreachable: t({
      id: 'documents.sourceFailure.unreachable',
      defaultMessage: 'The source does not answer. What is indexed stays; it is tried again by itself.',
    }),
    'not-allowed': t({
      id: 'documents.sourceFailure.notAllowed',
      defaultMessage: 'Its address is in a private network. A platform admin can allow it.',
    }),
    refused: t({
      id: 'documents.sourceFailure.refused',
      defaultMessage: 'The source does not let Parley in. Check the keys or the rights there.',
    }),
    'not-found': t({
      id: 'documents.sourceFailure.notFound',
      defaultMessage: 'There is nothing at this address. Check it; what is indexed stays.',
    }),
    outside: t({
      id: 'documents.sourceFailure.outside',
      defaultMessage: 'The start leads to another site or path. Use the address where it ends.',
    }),
    robots: t({
      id: 'documents.sourceFailure.robots',
      defaultMessage: 'The site’s robots.txt doesn’t let Parley in. Ask the people who run the site.',
    }),
    unreadable: t({
      id: 'documents.sourceFailure.unreadable',
      defaultMessage: 'Parley can’t read this source. It must be a web page, sitemap or file list.',
    }),
    'over-quota': t({
      id: 'documents.sourceFailure.overQuota',
      defaultMessage: 'The storage quota is used up. Delete documents, then sync again.',
    }),
    internal: t({
      id: 'documents.sourceFailure.internal',
      defaultMessage: 'Something failed on the server; it is in the server’s log. It is tried again by itself.',
    }),
  };
}

/** Who may read it, in one line: roles and groups by name, people by count. */
export function useReaders(): (audience: Audience) => string {
  const { t, intl } = useText();
  const { nameOf } = useRoles();
  const { groups } = useGroups();
  return (audience) => {
    if (audience.kind === 'everybody') return t({ id: 'documents.readers.all', defaultMessage: 'Everybody' });
    const { roles, groupIds, userIds } = audience;
    const named = [
      ...roles.map((role) => nameOf(role)),
      ...groupIds.flatMap((id) => groups.find((group) => group.id === id)?.name ?? []),
    ];
    const people = t(
      { id: 'documents.readers.people', defaultMessage: '{count, plural, one {# person} other {# people}}' },
      { count: userIds.length },
    );
    const all = userIds.length > 0 ? [...named, people] : named;
    return all.length === 0
      ? t({ id: 'documents.readers.nobody', defaultMessage: 'Nobody' })
      : intl.formatList(all, { type: 'unit' });
  };
}

/** When it is synced next, in words. */
export function useNext(): (connection: Connection) => string {
  const { t, intl } = useText();
  const { exact } = useFormats();
  const minute = 60_000;
  return ({ nextSyncAt, source, state }) => {
    if (source.kind === 'upload') return '—';
    if (state === 'syncing' || state === 'waiting') return t({ id: 'documents.next.now', defaultMessage: 'now' });
    if (state === 'asking') return t({ id: 'documents.next.you', defaultMessage: 'waits for you' });
    if (nextSyncAt === null)
      return state === 'paused' ? '—' : t({ id: 'documents.next.manual', defaultMessage: 'by hand' });
    const left = (Date.parse(nextSyncAt) - Date.now()) / minute;
    if (left > 24 * 60) return exact(nextSyncAt);
    return left >= 60
      ? intl.formatRelativeTime(Math.round(left / 60), 'hour')
      : intl.formatRelativeTime(Math.max(1, Math.ceil(left)), 'minute');
  };
}
