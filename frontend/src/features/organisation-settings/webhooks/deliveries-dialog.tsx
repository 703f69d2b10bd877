import { Button } from '@mantine/core';
import type { Delivery, Webhook } from '@parley/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { useWebhookWords } from './webhook-words.ts';
import form from '../../../ui/form.module.css';
import classes from '../parts/dialogs.module.css';
import { Status } from '../../../ui/list-table.tsx';

const shown = 20;
const refetchInterval = 2_000;

/** What it was told last, how each went, and a way to send one again. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const { items, error, test, again } = useDeliveries(webhook);
  const isOn = webhook.state === 'on';
  return (
    <Dialog
      title={t({ id: 'organisation.webhooks.deliveriesTitle', defaultMessage: 'The last deliveries' })}
      onClose={onClose}
    >
      <div className={form.form}>
        {error ? (
          <Note kind="danger" isAlert>
            {error}
          </Note>
        ) : null}
        {items ? null : (
          <SkeletonRows
            label={t({ id: 'organisation.webhooks.deliveriesLoading', defaultMessage: 'The deliveries are loading' })}
          />
        )}
        {items?.length === 0 ? (
          <p className="p-quiet">
            {t({
              id: 'organisation.webhooks.noDeliveries',
              defaultMessage: 'Nothing was told yet. Send a test to see whether its server takes it.',
            })}
          </p>
        ) : null}
        <ul className={classes.deliveries}>
          {items?.map((delivery) => (
            <DeliveryLine
              key={delivery.eventId}
              delivery={delivery}
              onAgain={isOn && delivery.state !== 'waiting' ? () => again(delivery) : null}
            />
          ))}
        </ul>
        <div className={form.endsAtEnd}>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'organisation.webhooks.close', defaultMessage: 'Close' })}
          </Button>
          {isOn ? (
            <Button onClick={test} {...off}>
              {t({ id: 'organisation.webhooks.test', defaultMessage: 'Send a test' })}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}

function DeliveryLine({ delivery, onAgain }: { delivery: Delivery; onAgain: (() => void) | null }) {
  const { t } = useText();
  const { exact } = useFormats();
  const words = useWebhookWords();
  const off = useActionOff();
  const { kind, label } = words.deliveryState(delivery);
  const failure = words.failureOf(delivery);
  return (
    <li className={classes.delivery}>
      <div>
        <Status kind={kind}>{label}</Status>{' '}
        <bdi dir="ltr" className="p-mono">
          {delivery.type}
        </bdi>
        <span className={table.second}>
          {exact(delivery.createdAt)}
          {failure ? ` · ${failure}` : null}
          {delivery.nextAt && delivery.attempts > 0
            ? ` ${t({ id: 'organisation.webhooks.next', defaultMessage: 'Next try {time}.' }, { time: exact(delivery.nextAt) })}`
            : null}
        </span>
      </div>
      {onAgain ? (
        <Button variant="subtle" size="xs" onClick={onAgain} {...off}>
          {t({ id: 'organisation.webhooks.again', defaultMessage: 'Send again' })}
        </Button>
      ) : null}
    </li>
  );
}

function useDeliveries({ id: webhookId }: Webhook) {
  const describe = useProblemText();
  const orgId = useTab().organisation.id;
  const params = { webhookId };
  const list = useQuery({
    queryKey: resourceKey('deliveries', orgId, webhookId),
    queryFn: ({ signal }) =>
      api('GET /api/monitoring/webhooks/:webhookId/deliveries', { orgId, params, query: { limit: shown }, signal }),
    refetchInterval,
  });
  const onSettled = () => list.refetch();
  const test = useMutation({
    mutationFn: () => api('POST /api/monitoring/webhooks/:webhookId/test', { orgId, params }),
    onSettled,
  });
  const again = useMutation({
    mutationFn: ({ eventId }: Delivery) =>
      api('POST /api/monitoring/webhooks/:webhookId/deliveries/:eventId/redeliver', {
        orgId,
        params: { webhookId, eventId },
      }),
    onSettled,
  });
  const error = test.error ?? again.error ?? list.error;
  return {
    items: list.data?.items,
    error: error ? describe(error).text : null,
    test: () => test.mutate(),
    again: (delivery: Delivery) => again.mutate(delivery),
  };
}
