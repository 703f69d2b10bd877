import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Provider } from '@parley/contracts';
import { Cpu, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { orgKey, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { deleteProvider } from '../api/providers.ts';

const ConfirmDialog = lazyPart(async () => (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog);

export function ProviderTable({
  providers,
  onEdit,
}: {
  providers: readonly Provider[];
  onEdit: (provider: Provider | 'new') => void;
}) {
  const { t } = useText();
  const off = useActionOff();
  const [deleted, setDeleted] = useState<Provider | null>(null);
  if (providers.length === 0) {
    return (
      <StateView
        icon={Cpu}
        title={t({ id: 'organisation.providers.none', defaultMessage: 'No model server connected yet' })}
        actions={
          <Button size="xs" variant="default" onClick={() => onEdit('new')} {...off}>
            {t({ id: 'organisation.page.add', defaultMessage: 'Add provider' })}
          </Button>
        }
      >
        {t({
          id: 'organisation.providers.noneText',
          defaultMessage:
            'Answers quote documents only. Connect Ollama, vLLM, LM Studio or any OpenAI-compatible server to have them written.',
        })}
      </StateView>
    );
  }
  return (
    <>
      <table className={`${table.table} p-data`}>
        <thead>
          <tr>
            <th>{t({ id: 'organisation.column.provider', defaultMessage: 'Provider' })}</th>
            <th>{t({ id: 'organisation.column.defaultModel', defaultMessage: 'Default model' })}</th>
            <th className={table.figure}>{t({ id: 'organisation.column.models', defaultMessage: 'Models' })}</th>
            <th>{t({ id: 'organisation.column.key', defaultMessage: 'Key' })}</th>
            <th>
              <span className="p-hidden">{t({ id: 'organisation.column.actions', defaultMessage: 'Actions' })}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {providers.map((provider) => (
            <Row
              key={provider.id}
              provider={provider}
              onEdit={() => onEdit(provider)}
              onDelete={() => setDeleted(provider)}
            />
          ))}
        </tbody>
      </table>
      {deleted ? <DeleteProvider provider={deleted} onClose={() => setDeleted(null)} /> : null}
    </>
  );
}

function Row({ provider, onEdit, onDelete }: { provider: Provider; onEdit: () => void; onDelete: () => void }) {
  const { t, intl } = useText();
  const off = useActionOff();
  return (
    <tr>
      <td>
        <span className={table.named}>
          <Cpu size={18} strokeWidth={1.75} aria-hidden="true" />
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
      </td>
      <td className={table.figure} data-label={t({ id: 'organisation.column.models', defaultMessage: 'Models' })}>
        {intl.formatNumber(provider.models.length)}
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
    </tr>
  );
}

/** Cannot be undone, for the key is gone: it is asked for, with the name and what it means. */
function DeleteProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  const client = useQueryClient();
  const { organisation } = useTab();
  const remove = useMutation({
    mutationFn: () => deleteProvider(organisation.id, provider.id),
    onSuccess: async () => {
      onClose();
      await Promise.all(
        ['providers', 'provider-offers', 'models'].map((part) =>
          client.invalidateQueries({ queryKey: orgKey(organisation.id, part) }),
        ),
      );
    },
  });
  return (
    <ConfirmDialog
      title={t({ id: 'organisation.delete.title', defaultMessage: 'Delete {name}?' }, { name: provider.name })}
      confirm={t({ id: 'organisation.delete.confirm', defaultMessage: 'Delete provider' })}
      isBusy={remove.isPending}
      error={remove.error ? describe(remove.error).text : null}
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
