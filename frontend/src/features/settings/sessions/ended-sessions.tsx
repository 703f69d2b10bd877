import type { EndedSession } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/settings.module.css';
import { Network } from './session-table.tsx';
import { useDeviceWords } from './use-device-words.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Who has ended them, or what. */
export function EndedSessions({ items }: { items: readonly EndedSession[] }) {
  const { t } = useText();
  const columns = [
    { key: 'session', label: t({ id: 'settings.column.session', defaultMessage: 'Session' }) },
    { key: 'by', label: t({ id: 'settings.column.endedBy', defaultMessage: 'Ended by' }) },
    { key: 'when', label: t({ id: 'settings.column.when', defaultMessage: 'When' }) },
    { key: 'lasted', label: t({ id: 'settings.column.lasted', defaultMessage: 'Lasted' }), isFigure: true },
  ];
  const title = t({ id: 'settings.ended.title', defaultMessage: 'Ended in the last 30 days' });
  return (
    <section aria-label={title}>
      <h2 className={`p-h3 ${classes.endedTitle}`}>{title}</h2>
      <ListTable columns={columns} items={items} cells={(session) => <Cells session={session} />} />
    </section>
  );
}

function Cells({ session }: { session: EndedSession }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const endedBy = useEndedBy();
  const lasted = useLasted();
  const { browser, device } = useDeviceWords()(session.userAgent);
  return (
    <>
      <td>
        <span className={table.name}>
          <bdi>{browser}</bdi>
          <span className={table.count}>
            {' · '}
            <bdi>{device}</bdi>
          </span>
        </span>
        <span className={table.second}>
          <Network network={session.network} />
        </span>
      </td>
      <td>{endedBy(session)}</td>
      <td className={table.quiet} title={exact(session.endedAt)}>
        {ago(session.endedAt)}
      </td>
      <td className={table.figure} data-label={t({ id: 'settings.column.lasted', defaultMessage: 'Lasted' })}>
        {lasted(Date.parse(session.endedAt) - Date.parse(session.createdAt))}
      </td>
    </>
  );
}

function useEndedBy() {
  const { t } = useText();
  const how = {
    'signed-out': t({ id: 'settings.ended.here', defaultMessage: 'You, in that browser' }),
    'signed-out-everywhere': t({ id: 'settings.ended.everywhere', defaultMessage: 'You, by signing out everywhere' }),
    'password-changed': t({ id: 'settings.ended.password', defaultMessage: 'A changed password' }),
    'ended-by-you': t({ id: 'settings.ended.you', defaultMessage: 'You, from another session' }),
  };
  const unused = t({ id: 'settings.ended.unused', defaultMessage: '12 hours without use' });
  const old = t({ id: 'settings.ended.old', defaultMessage: '30 days were over' });
  return ({ how: by, createdAt, endedAt }: EndedSession): string => {
    if (by !== 'expired') return how[by];
    return Date.parse(endedAt) - Date.parse(createdAt) >= 30 * dayMs ? old : unused;
  };
}

/** In the largest unit of which it has one. */
function useLasted() {
  const { t, intl } = useText();
  return (ms: number): string => {
    if (ms < minuteMs) return t({ id: 'settings.ended.brief', defaultMessage: 'Under a minute' });
    const [value, unit] =
      ms >= dayMs
        ? ([ms / dayMs, 'day'] as const)
        : ms >= hourMs
          ? ([ms / hourMs, 'hour'] as const)
          : ([ms / minuteMs, 'minute'] as const);
    return intl.formatNumber(Math.floor(value), { style: 'unit', unit, unitDisplay: 'long' });
  };
}
