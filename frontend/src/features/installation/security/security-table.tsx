import type { SecurityEntry } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { useSecurityKinds } from './security-names.ts';

export function SecurityTable({ items }: { items: readonly SecurityEntry[] }) {
  const { t } = useText();
  const columns = [
    { key: 'account', label: t({ id: 'installation.security.account', defaultMessage: 'Account' }) },
    { key: 'kind', label: t({ id: 'installation.security.event', defaultMessage: 'Event' }) },
    { key: 'count', label: t({ id: 'installation.security.count', defaultMessage: 'Count' }), isFigure: true },
    { key: 'network', label: t({ id: 'installation.security.network', defaultMessage: 'Network' }) },
    { key: 'at', label: t({ id: 'installation.security.time', defaultMessage: 'Time' }) },
  ];
  return <ListTable columns={columns} items={items} cells={(entry) => <Cells entry={entry} />} />;
}

function Cells({ entry }: { entry: SecurityEntry }) {
  const { t } = useText();
  const { number, ago, exact } = useFormats();
  const { words, shape } = useSecurityKinds()[entry.kind];
  return (
    <>
      <td>
        <Account entry={entry} />
      </td>
      <td>
        <Status kind={shape}>{words}</Status>
      </td>
      <td className={table.figure} data-label={t({ id: 'installation.security.count', defaultMessage: 'Count' })}>
        {number(entry.count)}
      </td>
      <td className={table.quiet}>
        <bdi dir="ltr">{entry.network ?? '—'}</bdi>
      </td>
      <td className={table.quiet} title={exact(entry.lastAt)}>
        {ago(entry.lastAt)}
      </td>
    </>
  );
}

function Account({ entry: { person, unknownAddress } }: { entry: SecurityEntry }) {
  const { t } = useText();
  if (person)
    return (
      <>
        <bdi className={table.name}>{person.name}</bdi>
        <bdi className={table.second}>{person.email}</bdi>
      </>
    );
  if (unknownAddress === null)
    return t({ id: 'installation.security.others', defaultMessage: 'Other unknown email addresses' });
  return (
    <>
      {t({ id: 'installation.security.unknown', defaultMessage: 'Unknown email address' })}
      <bdi className={table.second} dir="ltr">
        {unknownAddress}
      </bdi>
    </>
  );
}
