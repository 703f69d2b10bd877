import { useSearchParams } from 'react-router-dom';
import classes from '../parts/billing.module.css';
import { InvoiceView } from './invoice-view.tsx';
import { InvoiceList } from './invoice-list.tsx';
import { OrderList } from './order-list.tsx';

/** What was ordered and billed; one invoice where the address names it. */
export function OrdersTab() {
  const named = useSearchParams()[0].get('invoice');
  if (named) return <InvoiceView key={named} invoiceId={named} />;
  return (
    <div className={classes.lists}>
      <OrderList />
      <InvoiceList />
    </div>
  );
}
