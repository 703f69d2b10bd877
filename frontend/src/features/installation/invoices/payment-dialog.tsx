import { dayAt } from '@parley/contracts';
import { Button, TextInput } from '@mantine/core';
import type { Invoice } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { digitsOf, minorOf, ownTimeZone, useFormats } from '../../../lib/formats.ts';
import { api, isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { useActionOff } from '../../../ui/stale.tsx';

type Props = { invoice: Invoice; onClose: () => void };

/** Money that has come in: a part, all, or more than is open. */
export function PaymentDialog({ invoice, onClose }: Props) {
  const { t } = useText();
  const { money } = useFormats();
  const off = useActionOff();
  const { fields, submit, failure, isBusy, now } = usePayment({ invoice, onClose });
  const { number, totalMinor, paidMinor, currency } = now;
  const field = (name: keyof typeof fields.values) => ({ name, ...fields.getInputProps(name) });
  return (
    <Dialog
      title={t({ id: 'installation.payment.title', defaultMessage: 'Payment of invoice {number}' }, { number })}
      onClose={onClose}
    >
      <form className={form.form} noValidate onSubmit={submit}>
        <p className="p-sm p-quiet">
          {t(
            { id: 'installation.payment.open', defaultMessage: '{paid} of {total} is paid.' },
            { paid: money(paidMinor, currency), total: money(totalMinor, currency) },
          )}
        </p>
        <TextInput
          data-autofocus
          inputMode="decimal"
          dir="ltr"
          label={t({ id: 'installation.payment.amount', defaultMessage: 'Amount in {currency}' }, { currency })}
          description={t({
            id: 'installation.payment.amountAbout',
            defaultMessage: 'What is more than open is the buyer’s credit.',
          })}
          {...field('amountMinor')}
        />
        <TextInput
          type="date"
          label={t({ id: 'installation.payment.receivedOn', defaultMessage: 'Received on' })}
          {...field('receivedOn')}
        />
        <TextInput
          dir="auto"
          maxLength={120}
          label={t({ id: 'installation.payment.reference', defaultMessage: 'Reference, if any' })}
          {...field('reference')}
        />
        <FormFailureNote failure={failure} />
        <div className={form.ends}>
          <Button type="submit" loading={isBusy} {...off}>
            {t({ id: 'installation.invoices.record', defaultMessage: 'Record payment' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'installation.provision.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Somebody else may have written the same money down: then one sees how it stands now, and decides again. */
function usePayment({ invoice, onClose }: Props) {
  const { t } = useText();
  const client = useQueryClient();
  const [id] = useState(() => newId('payment'));
  const [now, setNow] = useState(invoice);
  const { currency } = invoice;
  const [today] = useState(() => dayAt(Date.now(), ownTimeZone()));
  const open = Math.max(0, invoice.totalMinor - invoice.paidMinor);
  const { fields, ...rest } = useServerForm({
    initialValues: {
      amountMinor: open > 0 ? (open / 10 ** digitsOf(currency)).toFixed(digitsOf(currency)) : '',
      receivedOn: today,
      reference: '',
    },
    validate: {
      amountMinor: (value) =>
        minorOf(value, currency) === null
          ? t({ id: 'installation.payment.amountCheck', defaultMessage: 'Enter an amount above 0, such as 820.00.' })
          : null,
      receivedOn: (value) =>
        /^\d{4}-\d{2}-\d{2}$/.test(value) && value <= today
          ? null
          : t({ id: 'installation.payment.receivedOnCheck', defaultMessage: 'Enter a day that is not in the future.' }),
    },
    send: ({ amountMinor, receivedOn, reference }) =>
      api('POST /api/billing/all-invoices/:invoiceId/payments', {
        params: { invoiceId: invoice.id },
        body: {
          id,
          version: now.version,
          amountMinor: minorOf(amountMinor, currency) ?? 0,
          receivedOn,
          reference: reference.trim() || null,
        },
        retries: 2,
      }),
    onSent: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: resourceKey('all-invoices', null) });
    },
    onRefused: (error) => {
      if (isProblem(error, 'platform.conflict')) setNow(error.problem.current as Invoice);
    },
  });
  return { fields, now, ...rest };
}
