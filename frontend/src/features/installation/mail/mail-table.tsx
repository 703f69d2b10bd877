import { Button } from '@mantine/core';
import type { ListedMail } from '@parley/contracts';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import { shapeOf, useMailKinds, useMailStates } from './mail-names.ts';
import { ShowLinkDialog } from './show-link-dialog.tsx';
import classes from './mail.module.css';

export function MailTable({ items }: { items: readonly ListedMail[] }) {
  const { t } = useText();
  const [shown, setShown] = useState<ListedMail | null>(null);
  const columns = [
    { key: 'to', label: t({ id: 'installation.column.to', defaultMessage: 'Recipient' }) },
    { key: 'kind', label: t({ id: 'installation.column.kind', defaultMessage: 'About' }) },
    { key: 'state', label: t({ id: 'installation.column.state', defaultMessage: 'State' }) },
    { key: 'tries', label: t({ id: 'installation.column.tries', defaultMessage: 'Tries' }), isFigure: true },
    { key: 'asked', label: t({ id: 'installation.column.asked', defaultMessage: 'Asked for' }) },
    { key: 'actions', label: t({ id: 'installation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <>
      <ListTable
        columns={columns}
        items={items}
        cells={(mail) => <Cells mail={mail} onShow={() => setShown(mail)} />}
      />
      {shown ? <ShowLinkDialog key={shown.id} mail={shown} onClose={() => setShown(null)} /> : null}
    </>
  );
}

function Cells({ mail, onShow }: { mail: ListedMail; onShow: () => void }) {
  const { t } = useText();
  const { number, ago, exact } = useFormats();
  const states = useMailStates();
  const kinds = useMailKinds();
  const off = useActionOff();
  return (
    <>
      <td>
        <bdi className={table.name}>{mail.to}</bdi>
      </td>
      <td>{kinds[mail.kind]}</td>
      <td>
        <Status kind={shapeOf(mail)}>{states[mail.state]}</Status>
        {mail.failure === null ? null : (
          <bdi className={`${table.second} ${classes.failure}`} dir="auto">
            {mail.failure}
          </bdi>
        )}
      </td>
      <td className={table.figure} data-label={t({ id: 'installation.column.tries', defaultMessage: 'Tries' })}>
        {number(mail.attempts)}
      </td>
      <td className={table.quiet} title={exact(mail.createdAt)}>
        {ago(mail.createdAt)}
      </td>
      <td className={table.actions}>
        <div className={table.rowActions}>
          {mail.linkEndsAt === null ? null : (
            <Button variant="default" size="xs" onClick={onShow} {...off}>
              {t({ id: 'installation.row.show', defaultMessage: 'Show link' })}
            </Button>
          )}
        </div>
      </td>
    </>
  );
}
