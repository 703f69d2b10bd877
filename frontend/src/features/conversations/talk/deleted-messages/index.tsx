import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationId, DeletedMessage, MessageId } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { Trash2 } from 'lucide-react';
import { useFormats } from '../../../../lib/formats.ts';
import { api } from '../../../../lib/http.ts';
import { LateTexts } from '../../../../lib/late-texts.tsx';
import { resourceKey } from '../../../../lib/query-keys.ts';
import { useTab } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { FailureView } from '../../../../ui/failure-view.tsx';
import { SidePanel } from '../../../../ui/side-panel.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { SkeletonRows, StateView } from '../../../../ui/state-view.tsx';
import { useErrorToast } from '../../../../ui/error-toast.ts';
import classes from './deleted-messages.module.css';

type Props = { conversationId: ConversationId; show: (id: MessageId) => Promise<void>; onClose: () => void };

/** Lists messages beside the conversation that were deleted and can be restored. */
export function DeletedMessages(props: Props) {
  return (
    <LateTexts part="deleted">
      <Panel {...props} />
    </LateTexts>
  );
}

function Panel({ conversationId, show, onClose }: Props) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('messages', orgId, conversationId, 'deleted'),
    queryFn: ({ signal }) =>
      api('GET /api/chat/conversations/:conversationId/deleted-messages', {
        orgId,
        params: { conversationId },
        signal,
      }),
    staleTime: 0,
  });
  const rule = t(
    {
      id: 'deleted.messages.rule',
      defaultMessage:
        'You can restore a deleted message, with all that follows it, for {days, plural, one {# day} other {# days}}. Then it’s erased for good.',
    },
    { days: keepDeletedDays },
  );
  return (
    <SidePanel title={t({ id: 'chat.deleted.title', defaultMessage: 'Deleted messages' })} onClose={onClose}>
      {error ? (
        <FailureView
          title={t({ id: 'deleted.messages.failed', defaultMessage: 'Deleted messages could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : null}
      {data || error ? null : (
        <SkeletonRows
          count={3}
          label={t({ id: 'deleted.messages.loading', defaultMessage: 'Deleted messages are loading' })}
        />
      )}
      {data?.items.length === 0 ? (
        <StateView icon={Trash2} title={t({ id: 'deleted.messages.empty', defaultMessage: 'No deleted messages' })}>
          {rule}
        </StateView>
      ) : null}
      {data && data.items.length > 0 ? (
        <>
          <p className="p-sm p-quiet">{rule}</p>
          <ul className={classes.list}>
            {data.items.map((item) => (
              <Row key={item.id} item={item} conversationId={conversationId} show={show} />
            ))}
          </ul>
        </>
      ) : null}
    </SidePanel>
  );
}

type RowProps = Omit<Props, 'onClose'> & { item: DeletedMessage };

function Row({ item: { id: messageId, role, text, deletedAt, eraseAt }, conversationId, show }: RowProps) {
  const { t } = useText();
  const { ago, date, exact } = useFormats();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const off = useActionOff();
  const showError = useErrorToast();
  const restoring = useMutation({
    mutationFn: () =>
      api('POST /api/chat/conversations/:conversationId/messages/:messageId/restore', {
        orgId,
        params: { conversationId, messageId },
        retries: 2,
      }),
    onSuccess: () => show(messageId),
    onError: showError,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('messages', orgId, conversationId, 'deleted') }),
  });
  const words = {
    person: t({ id: 'deleted.messages.question', defaultMessage: 'Question' }),
    assistant: t({ id: 'deleted.messages.answer', defaultMessage: 'Answer' }),
  };
  return (
    <li className={classes.row}>
      <p className={classes.text} dir="auto">
        {text === '' ? words[role] : text}
      </p>
      <p className="p-meta" title={exact(deletedAt)}>
        {t(
          { id: 'deleted.messages.when', defaultMessage: '{what}, deleted {when}. Erased on {date}' },
          { what: words[role], when: ago(deletedAt), date: date(eraseAt) },
        )}
      </p>
      <Button size="xs" variant="default" loading={restoring.isPending} onClick={() => restoring.mutate()} {...off}>
        {t({ id: 'deleted.messages.restore', defaultMessage: 'Restore' })}
      </Button>
    </li>
  );
}
