import type { OrderState } from '@parley/contracts';
import type { StatusKind } from '../../ui/status-shape.tsx';
import { useText } from '../../lib/text.ts';

/** The states of an order in words, with their shapes. */
export function useOrderStates(): Record<OrderState, { readonly shape: StatusKind; readonly words: string }> {
  const { t } = useText();
  return {
    placed: { shape: 'waiting', words: t({ id: 'sales.order.placed', defaultMessage: 'Waiting' }) },
    confirmed: { shape: 'ok', words: t({ id: 'sales.order.confirmed', defaultMessage: 'Confirmed' }) },
    refused: { shape: 'bad', words: t({ id: 'sales.order.refused', defaultMessage: 'Refused' }) },
    withdrawn: { shape: 'off', words: t({ id: 'sales.order.withdrawn', defaultMessage: 'Withdrawn' }) },
  };
}
