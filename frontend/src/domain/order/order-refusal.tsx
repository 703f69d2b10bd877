import type { Order } from '@parley/contracts';
import table from '../../ui/table.module.css';

/** Shows why an order was refused, in the words of who refused it. */
export function OrderRefusal({ order: { refusal } }: { order: Order }) {
  return refusal ? (
    <bdi dir="auto" className={table.second}>
      {refusal}
    </bdi>
  ) : null;
}
