import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Provider } from '@parley/contracts';
import { Cpu, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { EmbeddingLine } from './embedding-line.tsx';
import { useRefreshProviders } from './use-refresh-providers.ts';

const ConfirmDialog = lazyPart(async () => (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog);

export function ProviderTable({
  providers,
  onEdit,
}: {
  providers: readonly Provider[];
  onEdit: (provider: Provider) => void;
}) {
  const columns = useColumns();
  const [deleted, setDeleted] = useState<Provider | null>(null);
  return (
    <>
      <ListTable
        columns={columns}
        items={providers}
        cells={(provider) => (
          <Cells provider={provider} onEdit={() => onEdit(provider)} onDelete={() => setDeleted(provider)} />
        )}
      />
      {deleted ? <DeleteProvider provider={deleted} onClose={() => setDeleted(null)} /> : null}
    </>
  );
}

/** Nobody can be asked but the documents: how to connect a server. */
export function NoProviders({ onAdd }: { onAdd: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <StateView
      icon={Cpu}
      title={t({ id: 'organisation.providers.none', defaultMessage: 'No model server connected yet' })}
      actions={
        <Button size="xs" variant="default" onClick={() => onAdd()} {...off}>
          {t({ id: 'organisation.page.add', defaultMessage: 'Add provider' })}
        </Button>
      }
    >
      {t({
        id: 'organisation.providers.noneText',
        defaultMessage:
          'Answers quote documents only. Connect Ollama, vLLM, LM Studio, any other OpenAI-compatible server, Anthropic or Google to have them written.',
      })}
    </StateView>
  );
}

function useColumns(): Column[] {
  const { t } = useText();
  return [
    { key: 'provider', label: t({ id: 'organisation.column.provider', defaultMessage: 'Provider' }) },
    { key: 'default', label: t({ id: 'organisation.column.defaultModel', defaultMessage: 'Default model' }) },
    { key: 'models', label: t({ id: 'organisation.column.models', defaultMessage: 'Models' }), isFigure: true },
    { key: 'key', label: t({ id: 'organisation.column.key', defaultMessage: 'Key' }) },
    { key: 'actions', label: t({ id: 'organisation.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
}

function Cells({ provider, onEdit, onDelete }: { provider: Provider; onEdit: () => void; onDelete: () => void }) {
  const { t, intl } = useText();
  const off = useActionOff();
  const assumed = provider.models.length - (provider.contexts ?? []).length;
  return (
    <>
      <td>
        <span className={table.named}>
          <Cpu size={18} />
          <span>
            <bdi className={table.name}>{provider.name}</bdi>
            <bdi className={table.second} dir="ltr">
              {provider.baseUrl}
            </bdi>
          </span>
        </span>
      </td>
      <td data-label={t({ id: 'organisation.column.defaultModel', defaultMessage: 'Default model' })}>
        <bdi>{provider.defaultModel}</bdi>
        {provider.isDefault ? (
          <span className={table.second}>
            {t({ id: 'organisation.row.default', defaultMessage: 'New chats start with it' })}
          </span>
        ) : null}
        {provider.embeddingModel ? <EmbeddingLine provider={provider} /> : null}
      </td>
      <td className={table.figure} data-label={t({ id: 'organisation.column.models', defaultMessage: 'Models' })}>
        {intl.formatNumber(provider.models.length)}
        {assumed > 0 ? (
          <span className={table.second}>
            {t(
              {
                id: 'organisation.row.assumed',
                defaultMessage: '{count, plural, one {# with assumed context} other {# with assumed context}}',
              },
              { count: assumed },
            )}
          </span>
        ) : null}
      </td>
      <td className={table.quiet} data-label={t({ id: 'organisation.column.key', defaultMessage: 'Key' })}>
        {provider.keyHint ? (
          <bdi className="p-mono" dir="ltr">
            …{provider.keyHint}
          </bdi>
        ) : (
          t({ id: 'organisation.row.noKey', defaultMessage: 'none' })
        )}
      </td>
      <td className={table.actions}>
        <IconButton
          icon={Pencil}
          label={t({ id: 'organisation.row.edit', defaultMessage: 'Edit {name}' }, { name: provider.name })}
          onClick={onEdit}
          {...off}
        />
        <IconButton
          icon={Trash2}
          label={t({ id: 'organisation.row.delete', defaultMessage: 'Delete {name}' }, { name: provider.name })}
          onClick={onDelete}
          {...off}
        />
      </td>
    </>
  );
}

/** Cannot be undone, for the key is gone: it is asked for, with the name and what it means. */
function DeleteProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { t } = useText();
  const refresh = useRefreshProviders();
  const { organisation } = useTab();
  const remove = useMutation({
    mutationFn: () =>
      api('DELETE /api/chat/providers/:providerId', {
        orgId: organisation.id,
        params: { providerId: provider.id },
        retries: 2,
      }),
    onSuccess: async () => {
      onClose();
      await refresh();
    },
  });
  return (
    <ConfirmDialog
      title={t({ id: 'organisation.delete.title', defaultMessage: 'Delete {name}?' }, { name: provider.name })}
      confirm={t({ id: 'organisation.delete.confirm', defaultMessage: 'Delete provider' })}
      act={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t(
        {
          id: 'organisation.delete.text',
          defaultMessage:
            '{count, plural, one {# model leaves} other {# models leave}} the picker and the stored key is erased. Chats keep their answers.',
        },
        { count: provider.models.length },
      )}
    </ConfirmDialog>
  );
}
