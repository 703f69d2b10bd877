import { Button, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { useActionOff } from '../../../ui/stale.tsx';
import { ImportReport, type Report } from './import-report.tsx';

type Props = { /** Null before the first price, which sets it. */ currency: string | null; onClose: () => void };
const example = 'model,host,input,output,cached,valid_from,valid_until\n';

/** Prices from a file or typed: first tried, then taken as they were tried. */
export function ImportPricesDialog({ currency, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const file = useRef<HTMLInputElement>(null);
  const { fields, report, submit, failure, isBusy } = useImport(currency, onClose);
  const isTried = report !== null && report.faults.length === 0 && report.added > 0;
  return (
    <Dialog title={t({ id: 'installation.prices.import', defaultMessage: 'Import prices' })} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={submit}>
        {currency === null ? (
          <TextInput
            name="currency"
            dir="ltr"
            maxLength={3}
            label={t({ id: 'installation.prices.currency', defaultMessage: 'Currency of all prices, for good' })}
            {...fields.getInputProps('currency')}
          />
        ) : null}
        <Textarea
          name="csv"
          data-autofocus
          dir="ltr"
          rows={8}
          classNames={{ input: 'p-mono' }}
          label={t({ id: 'installation.prices.csv', defaultMessage: 'Table (CSV)' })}
          description={t({
            id: 'installation.prices.csvAbout',
            defaultMessage:
              'Prices for a million tokens, such as 2.50. Without a host: at every provider. Without valid_from: from now on. Prices without an end stop where the new ones begin.',
          })}
          {...fields.getInputProps('csv')}
        />
        <input
          ref={file}
          type="file"
          hidden
          accept=".csv,text/csv"
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            void chosen?.text().then((text) => fields.setFieldValue('csv', text));
          }}
        />
        {report ? <ImportReport report={report} /> : null}
        <FormFailureNote failure={failure} />
        <div className={form.ends}>
          <Button type="submit" loading={isBusy} {...off}>
            {isTried
              ? t(
                  {
                    id: 'installation.prices.take',
                    defaultMessage: 'Add {count, plural, one {# price} other {# prices}}',
                  },
                  { count: report.added },
                )
              : t({ id: 'installation.prices.check', defaultMessage: 'Check' })}
          </Button>
          <Button variant="default" onClick={() => file.current?.click()}>
            {t({ id: 'installation.prices.file', defaultMessage: 'Choose a file' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'installation.provision.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The report is of the text it was made for: another text is checked first. */
function useImport(currency: string | null, onClose: () => void) {
  const { t } = useText();
  const client = useQueryClient();
  const [tried, setTried] = useState<{
    readonly csv: string;
    readonly currency: string;
    readonly report: Report;
  } | null>(null);
  const isOf = (values: { csv: string; currency: string }) =>
    tried?.csv === values.csv && tried.currency === values.currency;
  const { fields, ...rest } = useServerForm({
    initialValues: { currency: currency ?? 'EUR', csv: example },
    validate: {
      currency: (value) =>
        /^[A-Z]{3}$/.test(value)
          ? null
          : t({ id: 'installation.prices.currencyCheck', defaultMessage: 'Enter three capitals, such as EUR.' }),
      csv: (value) =>
        value.trim() === '' || value === example
          ? t({ id: 'installation.prices.csvCheck', defaultMessage: 'Enter a line for each price, or choose a file.' })
          : null,
    },
    send: async (values) => {
      const isDryRun = !(isOf(values) && tried?.report.faults.length === 0 && tried.report.added > 0);
      const body = { ...values, replaces: true, isDryRun };
      return { ...values, report: await api('POST /api/billing/rates/import', { body, retries: 2 }) };
    },
    onSent: async (answer) => {
      if (!answer.report.isDone) return setTried(answer);
      onClose();
      await client.invalidateQueries({ queryKey: resourceKey('rates', null) });
    },
  });
  return { fields, report: isOf(fields.values) ? (tried?.report ?? null) : null, ...rest };
}
