import { Button } from '@mantine/core';
import type { InvoiceId } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, FileX, Printer } from 'lucide-react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router-dom';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { SkeletonRows, StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/billing.module.css';
import { useInvoicePath } from './invoice-path.ts';
import { InvoiceSheet } from './invoice-sheet.tsx';

/** One invoice. What is printed stands beside the page, and is all that paper gets. */
export function InvoiceView({ invoiceId }: { invoiceId: string }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const pathOf = useInvoicePath();
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('invoices', orgId, invoiceId),
    queryFn: ({ signal }) =>
      api('GET /api/billing/invoices/:invoiceId', { orgId, params: { invoiceId: invoiceId as InvoiceId }, signal }),
  });
  const back = (
    <Link className={`p-link p-sm ${classes.back}`} to={pathOf(null)}>
      <ArrowLeft className="p-mirror" />
      {t({ id: 'billing.invoices.back', defaultMessage: 'All orders and invoices' })}
    </Link>
  );
  if (isProblem(error, 'billing.invoice-not-found') || isProblem(error, 'platform.invalid-request'))
    return (
      <StateView
        icon={FileX}
        title={t({ id: 'billing.invoice.unknown', defaultMessage: 'Invoice not found' })}
        actions={back}
      >
        {t({
          id: 'billing.invoice.unknownText',
          defaultMessage: 'Perhaps it belongs to another one of your organisations.',
        })}
      </StateView>
    );
  if (error && !data)
    return (
      <FailureView
        title={t({ id: 'billing.invoice.failed', defaultMessage: 'The invoice could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data)
    return <SkeletonRows label={t({ id: 'billing.invoice.loading', defaultMessage: 'The invoice is loading' })} />;
  return (
    <>
      <div className={table.bar}>
        {back}
        <Button
          className={classes.end}
          variant="default"
          size="xs"
          leftSection={<Printer />}
          onClick={() => window.print()}
        >
          {t({ id: 'billing.invoice.print', defaultMessage: 'Print invoice' })}
        </Button>
      </div>
      <InvoiceSheet invoice={data} />
      {createPortal(
        <div className={classes.paper} aria-hidden="true">
          <InvoiceSheet invoice={data} />
        </div>,
        document.body,
      )}
    </>
  );
}
