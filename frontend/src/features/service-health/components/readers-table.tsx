import type { ServiceHealth } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { lateFrom } from '../health-figures.ts';
import classes from '../service-health.module.css';

type Reader = { id: string; service: string; topics: readonly string[]; behind: number | null };

/** Who reads which events, and how many of them wait. Readers serve all organisations, one after the other. */
export function ReadersTable({ services }: Pick<ServiceHealth, 'services'>) {
  const { t } = useText();
  const { number } = useFormats();
  const title = t({ id: 'health.readers.title', defaultMessage: 'Readers of events' });
  const behind = t({ id: 'health.readers.behind', defaultMessage: 'Behind' });
  const readers = services.flatMap(readersOf);
  return (
    <section aria-label={title} className={classes.part}>
      <header className={classes.partHead}>
        <h2 className="p-h3">{title}</h2>
        <span className="p-meta">
          {t({ id: 'health.readers.about', defaultMessage: 'of all organisations together, counts only' })}
        </span>
      </header>
      <ListTable
        columns={[
          { key: 'reader', label: t({ id: 'health.readers.reader', defaultMessage: 'Reader' }) },
          { key: 'behind', label: behind, isFigure: true },
          { key: 'state', label: t({ id: 'health.readers.state', defaultMessage: 'State' }) },
        ]}
        items={readers}
        cells={(reader) => (
          <>
            <td>
              <span className={table.name}>{reader.service}</span>
              <span className={table.second}>
                <bdi dir="ltr" className="p-mono">
                  {reader.topics.join(' · ')}
                </bdi>
              </span>
            </td>
            <td className={table.figure} data-label={behind}>
              {reader.behind === null ? '–' : number(reader.behind)}
            </td>
            <td className={classes.readerState}>
              <ReaderState behind={reader.behind} />
            </td>
          </>
        )}
      />
    </section>
  );
}

/** A line for each topic that is late, and one for all others of the service. */
function readersOf({ service, events }: ServiceHealth['services'][number]): Reader[] {
  if (!events) return [{ id: service, service, topics: [], behind: null }];
  const isLate = ({ behind }: { behind: number }) => behind >= lateFrom;
  const inTime = events.readers.filter((reader) => !isLate(reader));
  const late = events.readers.filter(isLate).map(({ topic, behind }) => ({ topics: [topic], behind }));
  const rest = {
    topics: inTime.map(({ topic }) => topic),
    behind: inTime.reduce((sum, { behind }) => sum + behind, 0),
  };
  return [...late, ...(inTime.length > 0 ? [rest] : [])].map((reader) => ({
    id: `${service} ${reader.topics.join(' ')}`,
    service,
    ...reader,
  }));
}

function ReaderState({ behind }: { behind: number | null }) {
  const { t } = useText();
  const [kind, text] =
    behind === null
      ? (['off', t({ id: 'health.readers.away', defaultMessage: 'Does not answer' })] as const)
      : behind >= lateFrom
        ? (['warning', t({ id: 'health.readers.late', defaultMessage: 'Late' })] as const)
        : (['ok', t({ id: 'health.readers.inTime', defaultMessage: 'In time' })] as const);
  return <Status kind={kind}>{text}</Status>;
}
