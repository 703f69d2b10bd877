import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Rate } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useModels } from '../../../domain/model/use-models.ts';
import { useFormats } from '../../../lib/formats.ts';
import { api, isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { InSight } from '../../../ui/in-sight.tsx';
import { Note } from '../../../ui/note.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';

type Props = { /** Null before the first price, which sets it. */ currency: string | null; onClose: () => void };
const highest = 100_000;

/** One price, from now on. Where one holds already, it can end now, so that this one takes its place. */
export function PricePanel({ currency, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const { fields, submit, failure, isBusy, replaced } = usePrice(currency, onClose);
  const models = useModelNames();
  const field = (name: keyof typeof fields.values) => ({ name, dir: 'ltr', ...fields.getInputProps(name) }) as const;
  return (
    <SidePanel isForm title={t({ id: 'installation.prices.add', defaultMessage: 'Add price' })} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={submit}>
        {currency === null ? (
          <TextInput
            maxLength={3}
            label={t({ id: 'installation.prices.currency', defaultMessage: 'Currency of all prices, for good' })}
            {...field('currency')}
          />
        ) : null}
        <ModelField
          models={models}
          value={fields.values.model}
          error={fields.errors['model']}
          onChange={(model) => fields.setFieldValue('model', model)}
        />
        <TextInput
          maxLength={260}
          label={t({ id: 'installation.prices.host', defaultMessage: 'Only at this host' })}
          placeholder="api.example.com"
          description={t({ id: 'installation.prices.hostAbout', defaultMessage: 'Leave it empty for every provider.' })}
          {...field('host')}
        />
        <TextInput
          inputMode="decimal"
          label={t({ id: 'installation.prices.inputPrice', defaultMessage: 'Input, for a million tokens' })}
          placeholder="2.50"
          {...field('input')}
        />
        <TextInput
          inputMode="decimal"
          label={t({ id: 'installation.prices.outputPrice', defaultMessage: 'Output, for a million tokens' })}
          placeholder="10.00"
          {...field('output')}
        />
        <TextInput
          inputMode="decimal"
          label={t({ id: 'installation.prices.cachedPrice', defaultMessage: 'Cached input, for a million tokens' })}
          description={t({
            id: 'installation.prices.cachedAbout',
            defaultMessage: 'Leave it empty for the price of input.',
          })}
          {...field('cached')}
        />
        {replaced ? (
          <InSight>
            <Replaced rate={replaced} currency={currency ?? fields.values.currency} />
          </InSight>
        ) : null}
        <FormFailureNote failure={replaced ? null : failure} />
        <div className={form.ends}>
          <Button type="submit" loading={isBusy} {...off}>
            {replaced
              ? t({ id: 'installation.prices.replace', defaultMessage: 'Replace price' })
              : t({ id: 'installation.prices.add', defaultMessage: 'Add price' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'installation.provision.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </SidePanel>
  );
}

type ModelFieldProps = {
  models: readonly string[];
  value: string;
  error: ReactNode;
  onChange: (model: string) => void;
};
/** No model is called like these: names are trimmed. */
const [unchosen, another] = [' none', ' another'];

/** A model that is connected, chosen from a list, or any other by its name. */
function ModelField({ models, value, error, onChange }: ModelFieldProps) {
  const { t } = useText();
  const [isAnother, setAnother] = useState(false);
  const label = t({ id: 'installation.prices.model', defaultMessage: 'Model' });
  const isTyped = isAnother || models.length === 0;
  return (
    <>
      {models.length === 0 ? null : (
        <NativeSelect
          data-first
          label={label}
          value={isAnother ? another : value === '' ? unchosen : value}
          error={isAnother ? null : error}
          onChange={({ currentTarget: { value: chosen } }) => {
            setAnother(chosen === another);
            onChange(chosen === another ? '' : chosen);
          }}
        >
          <option value={unchosen} disabled hidden>
            {t({ id: 'installation.prices.chooseModel', defaultMessage: 'Choose a model' })}
          </option>
          {models.map((model) => (
            <option key={model} value={model}>
              {model}
            </option>
          ))}
          <option value={another}>
            {t({ id: 'installation.prices.anotherModel', defaultMessage: 'Another model…' })}
          </option>
        </NativeSelect>
      )}
      {isTyped ? (
        <TextInput
          name="model"
          dir="ltr"
          maxLength={200}
          autoComplete="off"
          {...(models.length === 0 && { 'data-first': true })}
          label={
            models.length === 0
              ? label
              : t({ id: 'installation.prices.modelName', defaultMessage: 'Name of the model' })
          }
          description={t({
            id: 'installation.prices.modelAbout',
            defaultMessage: 'As its server names it, such as gpt-4o.',
          })}
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}

function Replaced({ rate, currency }: { rate: Rate; currency: string }) {
  const { t } = useText();
  const { price } = useFormats();
  return (
    <Note kind="warning" isAlert>
      {t(
        {
          id: 'installation.prices.holds',
          defaultMessage:
            'A price holds already: {input} for input and {output} for output. Replace it, and it ends now. What was asked before keeps its cost.',
        },
        { input: price(rate.inputMicros, currency), output: price(rate.outputMicros, currency) },
      )}
    </Note>
  );
}

function usePrice(currency: string | null, onClose: () => void) {
  const { t } = useText();
  const client = useQueryClient();
  const [id] = useState(() => newId('rate'));
  const [found, setFound] = useState<Rate | null>(null);
  /** What is typed may be about another model by now. */
  const replacedBy = ({ model, host }: { model: string; host: string }): Rate | null =>
    found?.model === model.trim() && (found.host ?? '') === host.trim().toLowerCase() ? found : null;
  const isPrice = (text: string) =>
    microsOf(text) === null
      ? t({ id: 'installation.prices.priceCheck', defaultMessage: 'Enter a price such as 2.50, at most 100,000.' })
      : null;
  const { fields, ...rest } = useServerForm({
    initialValues: { currency: currency ?? 'EUR', model: '', host: '', input: '', output: '', cached: '' },
    validate: {
      currency: (value) =>
        /^[A-Z]{3}$/.test(value)
          ? null
          : t({ id: 'installation.prices.currencyCheck', defaultMessage: 'Enter three capitals, such as EUR.' }),
      model: (value) =>
        value.trim() === ''
          ? t({ id: 'installation.prices.modelCheck', defaultMessage: 'Enter the name of the model.' })
          : null,
      input: isPrice,
      output: isPrice,
      cached: (value) => (value.trim() === '' ? null : isPrice(value)),
    },
    send: ({ model, host, input, output, cached, ...values }) =>
      api('POST /api/billing/rates', {
        body: {
          id,
          currency: values.currency,
          model: model.trim(),
          host: host.trim() || null,
          inputMicros: microsOf(input)!,
          outputMicros: microsOf(output)!,
          cachedMicros: microsOf(cached.trim() || input)!,
          validFrom: null,
          validUntil: null,
          replaces: replacedBy({ model, host })?.id ?? null,
        },
        retries: 2,
      }),
    onSent: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: resourceKey('rates', null) });
    },
    onRefused: (error) => {
      const current = isProblem(error, 'billing.rate-overlaps') ? (error.problem.current as Rate | undefined) : null;
      setFound(current?.validUntil === null ? current : null);
    },
  });
  return { fields, replaced: replacedBy(fields.values), ...rest };
}

/** Millionths of the currency, of what is typed with a point or a comma; null where that is no price. */
function microsOf(text: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,6})(?:[.,](\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const micros = Number(whole) * 1e6 + Number(fraction.padEnd(6, '0'));
  return micros <= highest * 1e6 ? micros : null;
}

/** Those that the organisation of this tab offers: the ones most likely to be priced. */
function useModelNames(): string[] {
  const { data } = useModels();
  return [...new Set((data?.items ?? []).flatMap(({ key, label }) => (key === 'builtin' ? [] : label)))];
}
