import type { Order } from '@parley/contracts';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';

export type CardKind = 'waiting' | 'long' | 'confirmed' | 'applied' | 'refused' | 'withdrawn';

type Words = { readonly title: string; readonly text: string };

/** What the page says of an order in each state. */
export function useCardWords(order: Order): Record<CardKind, Words> {
  const { t } = useText();
  const { exact } = useFormats();
  const { raised, decidedBy, decidedAt } = order;
  const by = decidedBy?.name ?? '';
  const at = decidedAt ? exact(decidedAt) : '';
  return {
    waiting: {
      title: t({ id: 'billing.success.waiting', defaultMessage: 'Waiting for billing to confirm' }),
      text: t({
        id: 'billing.success.waitingText',
        defaultMessage: 'The order takes effect once a platform admin has confirmed it.',
      }),
    },
    long: {
      title: t({ id: 'billing.success.long', defaultMessage: 'It takes a while' }),
      text: t({
        id: 'billing.success.longText',
        defaultMessage:
          'A platform admin of this installation confirms orders. This page keeps waiting, and you can also find the order in billing.',
      }),
    },
    confirmed: {
      title:
        raised?.after === null || raised === null
          ? t({ id: 'billing.success.confirmedNoLimit', defaultMessage: 'Your order is confirmed' })
          : t(
              { id: 'billing.success.confirmed', defaultMessage: 'You have {seats, number} seats' },
              { seats: raised.after },
            ),
      text: t(
        {
          id: 'billing.success.confirmedText',
          defaultMessage: 'Confirmed at {at}. It’s already in effect in every open tab.',
        },
        { at },
      ),
    },
    applied: {
      title: t({ id: 'billing.success.applied', defaultMessage: 'This order was applied already' }),
      text: t(
        {
          id: 'billing.success.appliedText',
          defaultMessage: 'On {at}, by {by}. It’s applied once, however often you open this page.',
        },
        { at, by },
      ),
    },
    ...useEndWords(order),
  };
}

/** Of an order that came to nothing. */
function useEndWords({ refusal, decidedBy, decidedAt }: Order): Pick<Record<CardKind, Words>, 'refused' | 'withdrawn'> {
  const { t } = useText();
  const { exact } = useFormats();
  const by = decidedBy?.name ?? '';
  const at = decidedAt ? exact(decidedAt) : '';
  return {
    refused: {
      title: t({ id: 'billing.success.refused', defaultMessage: 'The order was refused' }),
      text: t(
        {
          id: 'billing.success.refusedText',
          defaultMessage: '“{reason}”, says {by}. Nothing is charged, and the seats are as they were.',
        },
        { reason: refusal, by },
      ),
    },
    withdrawn: {
      title: t({ id: 'billing.success.withdrawn', defaultMessage: 'The order was withdrawn' }),
      text: t(
        {
          id: 'billing.success.withdrawnText',
          defaultMessage: 'By {by} on {at}. Nothing is charged, and the seats are as they were.',
        },
        { by, at },
      ),
    },
  };
}
