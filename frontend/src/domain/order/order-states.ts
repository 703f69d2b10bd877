import type { OrderState } from '@parley/contracts';
import type { StatusKind } from '../../ui/status-shape.tsx';
import { useText } from '../../lib/text.ts';

/** The states of an order in words, with their shapes. */
export function useOrderStates(): Record<OrderState, { readonly shape: StatusKind; readonly words: string }> {
  const { t } = useText();
  return {
    placed: { shape: 'waiting', words: t({ id: 'order.placed', defaultMessage: 'Waiting' }) },
    confirmed: { shape: 'ok', words: t({ id: 'order.confirmed', defaultMessage: 'Confirmed' }) },
    refused: { shape: 'bad', words: t({ id: 'order.refused', defaultMessage: 'Refused' }) },
    withdrawn: { shape: 'off', words: t({ id: 'order.withdrawn', defaultMessage: 'Withdrawn' }) },
  };
}
