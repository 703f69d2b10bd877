import type { OrderId } from '@parley/contracts';
import type { Paths } from '../../../lib/paths.ts';

/** The page of an order, which waits for its confirmation. */
export function orderPath(paths: Paths, orderId: OrderId): string {
  const path = paths.to('settings/billing/success');
  return `${path}${path.includes('?') ? '&' : '?'}order=${orderId}`;
}
