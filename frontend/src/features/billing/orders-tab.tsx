import { useSearchParams } from 'react-router-dom';
import classes from './billing.module.css';
import { InvoiceView } from './components/invoice-view.tsx';
import { InvoiceList } from './components/invoice-list.tsx';
import { OrderList } from './components/order-list.tsx';

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
