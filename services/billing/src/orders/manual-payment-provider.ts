import type { SalesTerms } from '@parley/contracts';
import { daysLater } from '../invoices/index.ts';
import { PaymentProvider } from './payment-provider.ts';

/** Without anybody outside: a platform admin confirms orders, and writes down the money that comes in. */
export class ManualPaymentProvider extends PaymentProvider {
  startCheckout(): Promise<null> {
    return Promise.resolve(null);
  }

  dueOn(issuedOn: string, { dueDays }: SalesTerms): string {
    return daysLater(issuedOn, dueDays);
  }
}
