import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, type Answer } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { useSalesTerms } from './use-sales-terms.ts';

/** What a seat costs, and who stands on invoices. */
export function TermsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('sales-terms', null),
    queryFn: ({ signal }) => api('GET /api/billing/sales-terms', { signal }),
  });
  return (
    <SidePanel
      isForm
      title={t({ id: 'installation.terms.open', defaultMessage: 'Seat price and seller' })}
      onClose={onClose}
    >
      {data ? (
        <TermsForm key={data.terms?.version ?? 0} found={data} onClose={onClose} />
      ) : error ? (
        <FailureView
          title={t({ id: 'installation.terms.failed', defaultMessage: 'The terms could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows label={t({ id: 'installation.terms.loading', defaultMessage: 'The terms are loading' })} />
      )}
    </SidePanel>
  );
}

function TermsForm({ found, onClose }: { found: Answer<'GET /api/billing/sales-terms'>; onClose: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const { fields, submit, failure, isBusy } = useSalesTerms(found, onClose);
  const field = (name: keyof typeof fields.values) => ({ name, ...fields.getInputProps(name) });
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      <TextInput
        data-first
        inputMode="decimal"
        dir="ltr"
        label={t(
          { id: 'installation.terms.price', defaultMessage: 'A seat for a month, in {currency}' },
          { currency: fields.values.currency },
        )}
        description={t({ id: 'installation.terms.priceAbout', defaultMessage: 'Empty: seats are not sold.' })}
        {...field('price')}
      />
      {found.currency === null ? (
        <TextInput
          dir="ltr"
          maxLength={3}
          label={t({ id: 'installation.terms.currency', defaultMessage: 'Currency' })}
          {...field('currency')}
        />
      ) : null}
      <TextInput
        inputMode="numeric"
        dir="ltr"
        label={t({ id: 'installation.terms.dueDays', defaultMessage: 'Days to pay an invoice' })}
        {...field('dueDays')}
      />
      <TextInput
        dir="auto"
        maxLength={120}
        label={t({ id: 'installation.terms.name', defaultMessage: 'Seller on invoices' })}
        {...field('name')}
      />
      <Textarea
        dir="auto"
        rows={3}
        label={t({ id: 'installation.terms.address', defaultMessage: 'Address' })}
        {...field('address')}
      />
      <TextInput
        dir="ltr"
        maxLength={40}
        label={t({ id: 'installation.terms.taxNumber', defaultMessage: 'Tax number, if any' })}
        {...field('taxNumber')}
      />
      <Textarea
        dir="auto"
        rows={3}
        label={t({ id: 'installation.terms.payment', defaultMessage: 'How to pay' })}
        description={t({
          id: 'installation.terms.paymentAbout',
          defaultMessage: 'Shown on each invoice: a bank account, and the information about tax.',
        })}
        {...field('payment')}
      />
      <FormFailureNote failure={failure} />
      <div className={form.ends}>
        <Button type="submit" loading={isBusy} {...off}>
          {t({ id: 'installation.terms.save', defaultMessage: 'Save terms' })}
        </Button>
      </div>
    </form>
  );
}
