import type { Connection } from '@parley/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useConnectionName } from '../connection-words.ts';
import { useRefresh } from '../use-connections.ts';

/** What would be answered from it no more. */
export function useUses({ id }: Pick<Connection, 'id'>, isWanted: boolean) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('connections', orgId, 'uses', id),
    queryFn: ({ signal }) =>
      api('GET /api/chat/connections/:connectionId/uses', { orgId, params: { connectionId: id }, signal }),
    enabled: isWanted,
  }).data;
}

type Props = { connection: Connection; onDeleted: () => void; onClose: () => void };

/** Says what goes with it, and whose answers know it no more. */
export function DeleteConnection({ connection, onDeleted, onClose }: Props) {
  const { t, intl } = useText();
  const orgId = useTab().organisation.id;
  const refresh = useRefresh();
  const nameOf = useConnectionName();
  const uses = useUses(connection, true);
  const deleting = useMutation({
    mutationFn: () =>
      api('DELETE /api/chat/connections/:connectionId', { orgId, params: { connectionId: connection.id }, retries: 2 }),
    onSuccess: async () => {
      onDeleted();
      await refresh();
    },
  });
  return (
    <ConfirmDialog
      title={t({ id: 'documents.delete.title', defaultMessage: 'Delete “{name}”?' }, { name: nameOf(connection) })}
      confirm={t({ id: 'documents.delete.confirm', defaultMessage: 'Delete connection' })}
      act={{ isPending: deleting.isPending || !uses, error: deleting.error }}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      {uses
        ? t(
            {
              id: 'documents.delete.text',
              defaultMessage:
                '{documents, plural, one {# document} other {# documents}} with {passages, plural, one {# passage} other {# passages}} go with it for good. The source itself is not touched.',
            },
            { documents: connection.documents.all, passages: uses.passages },
          )
        : '…'}{' '}
      {uses && uses.items.length > 0
        ? t(
            { id: 'documents.delete.named', defaultMessage: 'These chatbots name it: {names}.' },
            { names: intl.formatList(uses.items.map(({ name }) => name)) },
          )
        : null}{' '}
      {uses && uses.everywhere > 0
        ? t(
            {
              id: 'documents.delete.everywhere',
              defaultMessage:
                '{count, plural, one {# chatbot that looks everywhere loses it too.} other {# chatbots that look everywhere lose it too.}}',
            },
            { count: uses.everywhere },
          )
        : null}
    </ConfirmDialog>
  );
}
