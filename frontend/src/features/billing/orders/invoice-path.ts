import type { InvoiceId } from '@parley/contracts';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { usePaths } from '../../../lib/paths.ts';

/** Where an invoice stands, or all of them. */
export function useInvoicePath(): (invoiceId: InvoiceId | null) => string {
  const paths = usePaths();
  const slug = useSearchParams()[0].get('org');
  return useCallback(
    (invoiceId) => {
      const query = { ...(slug && { org: slug }), tab: 'orders', ...(invoiceId && { invoice: invoiceId }) };
      return `${paths.to('settings/billing').split('?')[0]}?${new URLSearchParams(query).toString()}`;
    },
    [paths, slug],
  );
}
