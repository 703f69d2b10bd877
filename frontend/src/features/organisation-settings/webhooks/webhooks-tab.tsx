import { Button } from '@mantine/core';
import type { Webhook } from '@parley/contracts';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { type Column, ListTable, Status } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/organisation-settings.module.css';
import { useWebhookWords } from './webhook-words.ts';
import { ConsoleFrame } from '../parts/console-frame.tsx';
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { MadeSecret } from './made-secret.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

type Open =
  | { readonly kind: 'change' | 'delete' | 'deliveries'; readonly webhook: Webhook }
  | { readonly kind: 'create' };
const refetchMs = 10_000;

/** The addresses that are told of what happens in the organisation. */
export function WebhooksTab() {
  const { t } = useText();
  const list = useList('GET /api/monitoring/webhooks', { refetchMs });
  const [open, setOpen] = useState<Open | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const columns = useColumns();
  const close = () => setOpen(null);
  const create = <CreateButton onClick={() => setOpen({ kind: 'create' })} />;
  return (
    <ConsoleFrame>
      {secret === null ? null : <MadeSecret secret={secret} onClose={() => setSecret(null)} />}
      <ListView
        list={list}
        loading={t({ id: 'organisation.webhooks.loading', defaultMessage: 'The webhooks are loading' })}
        failed={t({ id: 'organisation.webhooks.failed', defaultMessage: 'The webhooks could not be loaded' })}
        empty={
          <StateView
            icon={WebhookIcon}
            title={t({ id: 'organisation.webhooks.empty', defaultMessage: 'No webhooks yet' })}
            actions={create}
          >
            {t({
              id: 'organisation.webhooks.emptyText',
              defaultMessage:
                'A webhook tells a server of yours what happens here, as it happens: ids, numbers and states, never texts.',
            })}
          </StateView>
        }
        foot={t({
          id: 'organisation.webhooks.foot',
          defaultMessage: 'What a server does not take is sent again for 24 hours, then given up.',
        })}
      >
        {(items) => (
          <>
            <div className={table.bar}>{create}</div>
            <ListTable
              columns={columns}
              items={items}
              cells={(webhook) => <Cells webhook={webhook} onOpen={(kind) => setOpen({ kind, webhook })} />}
            />
          </>
        )}
      </ListView>
      {open?.kind === 'create' ? <WebhookDialog webhook={null} onMade={setSecret} onClose={close} /> : null}
      {open?.kind === 'change' ? <WebhookDialog webhook={open.webhook} onMade={setSecret} onClose={close} /> : null}
      {open?.kind === 'delete' ? <DeleteWebhookDialog webhook={open.webhook} onClose={close} /> : null}
      {open?.kind === 'deliveries' ? <DeliveriesDialog webhook={open.webhook} onClose={close} /> : null}
    </ConsoleFrame>
  );
}

function CreateButton({ onClick }: { onClick: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <Button variant="default" leftSection={<Plus />} onClick={onClick} {...off}>
      {t({ id: 'organisation.webhooks.create', defaultMessage: 'Add webhook' })}
    </Button>
  );
}

function useColumns(): Column[] {
  const { t } = useText();
  return [
    { key: 'url', label: t({ id: 'organisation.webhooks.url', defaultMessage: 'Address' }) },
    { key: 'types', label: t({ id: 'organisation.webhooks.types', defaultMessage: 'Is told of' }) },
    { key: 'state', label: t({ id: 'organisation.webhooks.state', defaultMessage: 'State' }) },
    { key: 'actions', label: t({ id: 'organisation.webhooks.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
}

function Cells({ webhook, onOpen }: { webhook: Webhook; onOpen: (kind: 'change' | 'delete' | 'deliveries') => void }) {
  const { t } = useText();
  const words = useWebhookWords();
  const off = useActionOff();
  const { kind, label } = words.stateOf(webhook);
  const about = <span className="p-hidden">: {webhook.url}</span>;
  return (
    <>
      <td>
        <bdi dir="ltr" className={table.name}>
          {webhook.url}
        </bdi>
        <bdi className={table.second}>{webhook.createdBy.name}</bdi>
      </td>
      <td>{words.typesText(webhook.types)}</td>
      <td>
        <Status kind={kind}>{label}</Status>
      </td>
      <td className={`${table.actions} ${classes.hookActs}`}>
        <Button variant="subtle" size="xs" onClick={() => onOpen('deliveries')}>
          {t({ id: 'organisation.webhooks.deliveries', defaultMessage: 'Deliveries' })}
          {about}
        </Button>
        <Button variant="subtle" size="xs" onClick={() => onOpen('change')} {...off}>
          {t({ id: 'organisation.webhooks.change', defaultMessage: 'Change' })}
          {about}
        </Button>
        <Button variant="subtle" size="xs" c="var(--p-danger)" onClick={() => onOpen('delete')} {...off}>
          {t({ id: 'organisation.webhooks.delete', defaultMessage: 'Delete' })}
          {about}
        </Button>
      </td>
    </>
  );
}
