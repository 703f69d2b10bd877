import type { Connection } from '@parley/contracts';
import { Link, useSearchParams } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { iconOf, useConnectionName, useNext, useReaders, useSourceNames, useStateWords } from '../connection-words.ts';
import classes from './documents.module.css';

export function ConnectionTable({ items }: { items: readonly Connection[] }) {
  const { t } = useText();
  const columns = [
    { key: 'name', label: t({ id: 'documents.connections.name', defaultMessage: 'Connection' }) },
    { key: 'readers', label: t({ id: 'documents.connections.readers', defaultMessage: 'Who can read' }) },
    {
      key: 'documents',
      label: t({ id: 'documents.connections.documents', defaultMessage: 'Documents' }),
      isFigure: true,
    },
    { key: 'last', label: t({ id: 'documents.connections.last', defaultMessage: 'Last sync' }) },
    { key: 'state', label: t({ id: 'documents.connections.state', defaultMessage: 'State' }) },
    { key: 'next', label: t({ id: 'documents.connections.next', defaultMessage: 'Next' }) },
  ];
  return <ListTable columns={columns} items={items} cells={(connection) => <Cells connection={connection} />} />;
}

function Cells({ connection }: { connection: Connection }) {
  const { t } = useText();
  const { number, ago, exact } = useFormats();
  const [search] = useSearchParams();
  const nameOf = useConnectionName();
  const kinds = useSourceNames();
  const readers = useReaders();
  const { shape, name, more } = useStateWords()(connection);
  const nextTime = useNext()(connection);
  const { id, source, audience, documents, lastSync } = connection;
  const Icon = iconOf[source.kind];
  const to = new URLSearchParams({ ...(search.get('org') && { org: search.get('org')! }), connection: id });
  return (
    <>
      <td>
        <span className={table.named}>
          <Icon size={18} className={classes.icon} />
          <span>
            <Link to={{ search: to.toString() }} className={`${table.name} ${classes.open}`}>
              <bdi>{nameOf(connection)}</bdi>
            </Link>
            <span className={table.second}>{kinds[source.kind]}</span>
          </span>
        </span>
      </td>
      <td
        className={table.quiet}
        data-label={t({ id: 'documents.connections.readers', defaultMessage: 'Who can read' })}
      >
        <bdi>{readers(audience)}</bdi>
      </td>
      <td
        className={table.figure}
        data-label={t({ id: 'documents.connections.documents', defaultMessage: 'Documents' })}
      >
        {number(documents.all)}
        {documents.failed > 0 ? (
          <span className={`${table.second} ${classes.failed}`}>
            {t({ id: 'documents.bar.failed', defaultMessage: '{count, number} failed' }, { count: documents.failed })}
          </span>
        ) : null}
      </td>
      <td
        className={lastSync ? table.quiet : `${table.quiet} ${classes.none}`}
        data-label={t({ id: 'documents.connections.last', defaultMessage: 'Last sync' })}
        title={lastSync ? exact(lastSync.at) : undefined}
      >
        {lastSync ? ago(lastSync.at) : '—'}
      </td>
      <td>
        <Status kind={shape}>{name}</Status>
        {more ? <span className={`${table.second} ${classes.reason}`}>{more}</span> : null}
      </td>
      <td
        className={`${table.quiet} ${nextTime === '—' ? classes.none : classes.oneLine}`}
        data-label={t({ id: 'documents.connections.next', defaultMessage: 'Next' })}
      >
        {nextTime}
      </td>
    </>
  );
}
