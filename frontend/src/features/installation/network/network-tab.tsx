import { Button } from '@mantine/core';
import type { AllowedAddress } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Network } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';

/** Which addresses in private networks and on this machine may be called, who has allowed each, and when. */
export function NetworkTab() {
  const { t } = useText();
  const list = useList('GET /api/chat/allowed-addresses');
  const [revoked, setRevoked] = useState<AllowedAddress | null>(null);
  const columns = [
    { key: 'address', label: t({ id: 'installation.network.address', defaultMessage: 'Address' }) },
    { key: 'by', label: t({ id: 'installation.network.by', defaultMessage: 'Allowed by' }) },
    { key: 'at', label: t({ id: 'installation.network.at', defaultMessage: 'When' }) },
    { key: 'actions', label: t({ id: 'installation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return (
    <>
      <ListView
        list={list}
        loading={t({ id: 'installation.network.loading', defaultMessage: 'The addresses are loading' })}
        failed={t({ id: 'installation.network.failed', defaultMessage: 'The addresses could not be loaded' })}
        empty={
          <StateView
            icon={Network}
            title={t({ id: 'installation.network.empty', defaultMessage: 'No private address is allowed' })}
          >
            {t({
              id: 'installation.network.emptyText',
              defaultMessage:
                'Model servers, web sites and buckets with public addresses can always be connected. You allow one in a private network or on this machine where its connection is tested: organisation settings, Models, or Data connections.',
            })}
          </StateView>
        }
        foot={t({
          id: 'installation.network.foot',
          defaultMessage: 'Beside these, what the setting PARLEY_OUTBOUND_ALLOW names is allowed.',
        })}
      >
        {(items) => (
          <ListTable
            columns={columns}
            items={items.map((item) => ({ ...item, id: item.address }))}
            cells={(item) => <Cells item={item} onRevoke={() => setRevoked(item)} />}
          />
        )}
      </ListView>
      {revoked ? <RevokeDialog address={revoked.address} onClose={() => setRevoked(null)} /> : null}
    </>
  );
}

function Cells({ item: { address, by, at }, onRevoke }: { item: AllowedAddress; onRevoke: () => void }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const off = useActionOff();
  return (
    <>
      <td>
        <bdi className={table.name} dir="ltr">
          {address}
        </bdi>
      </td>
      <td data-label={t({ id: 'installation.network.by', defaultMessage: 'Allowed by' })}>
        <bdi>{by.name ?? t({ id: 'installation.network.somebody', defaultMessage: 'a platform admin' })}</bdi>
      </td>
      <td className={table.quiet} title={exact(at)}>
        {ago(at)}
      </td>
      <td className={table.actions}>
        <div className={table.rowActions}>
          <Button variant="default" size="xs" onClick={onRevoke} {...off}>
            {t({ id: 'installation.network.revoke', defaultMessage: 'Revoke' })}
          </Button>
        </div>
      </td>
    </>
  );
}

function RevokeDialog({ address, onClose }: { address: string; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api('DELETE /api/chat/allowed-addresses', { query: { address }, retries: 2 }),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: resourceKey('allowed-addresses', null) });
    },
  });
  return (
    <ConfirmDialog
      title={t(
        { id: 'installation.network.revokeTitle', defaultMessage: 'Revoke {address}?' },
        { address: `\u2068${address}\u2069` },
      )}
      confirm={t({ id: 'installation.network.revokeConfirm', defaultMessage: 'Revoke address' })}
      act={revoke}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {t({
        id: 'installation.network.revokeText',
        defaultMessage:
          'Providers of all organisations with this address stop working at once; chats with them say that the address may not be called. Answers that are being written end by themselves.',
      })}
    </ConfirmDialog>
  );
}
