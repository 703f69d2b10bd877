import { getInvoice, listAllInvoices, listInvoices, recordPayment } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { InvoicesRepository } from './invoices.repository.ts';
import { InvoicesService } from './invoices.service.ts';

export { InvoicesRepository } from './invoices.repository.ts';
export { daysLater } from './period.ts';

export const invoicesFeature = feature({
  routes: { list: listInvoices, read: getInvoice, listAll: listAllInvoices, recordPayment },
  handlers: InvoicesService,
  providers: [InvoicesRepository],
  exports: [InvoicesRepository],
});
