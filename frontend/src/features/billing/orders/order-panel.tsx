import { Button, Textarea, TextInput } from '@mantine/core';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { useFormats } from '../../../lib/formats.ts';
import type { Answer } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { Note } from '../../../ui/note.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../parts/billing.module.css';
import { usePlaceOrder } from './use-place-order.ts';
import { useSeatOffer } from '../parts/seat-facts.tsx';

export type Offer = Answer<'GET /api/billing/seat-offer'>;

/** Seats for some months, at the price of today. */
export function OrderPanel({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { data } = useSeatOffer();
  return (
    <SidePanel isForm title={t({ id: 'billing.order.open', defaultMessage: 'Order seats' })} onClose={onClose}>
      {data ? (
        <Offered offer={data} onClose={onClose} />
      ) : (
        <SkeletonRows count={3} label={t({ id: 'billing.order.loading', defaultMessage: 'The price is loading' })} />
      )}
    </SidePanel>
  );
}

/** Without a price, or without a limit, there is nothing to order: the panel says why. */
function Offered({ offer, onClose }: { offer: Offer; onClose: () => void }) {
  const { t } = useText();
  const { price, seats } = offer;
  if (price && seats.limit !== null) return <OrderForm offer={offer} price={price} onClose={onClose} />;
  return (
    <div className={form.form}>
      <Note kind="info">
        {seats.limit === null
          ? t({
              id: 'billing.order.noLimit',
              defaultMessage: 'This organisation has no limit of seats: invite as many people as there are.',
            })
          : t({
              id: 'billing.order.notSold',
              defaultMessage:
                'No price is set, so seats cannot be ordered here. A platform admin of this installation can raise the limit.',
            })}
      </Note>
      <div className={form.ends}>
        <Button variant="default" onClick={onClose}>
          {t({ id: 'billing.order.close', defaultMessage: 'Close' })}
        </Button>
      </div>
    </div>
  );
}

type FormProps = { offer: Offer; price: NonNullable<Offer['price']>; onClose: () => void };

function OrderForm({ offer, price, onClose }: FormProps) {
  const { t } = useText();
  const { money } = useFormats();
  const off = useActionOff();
  const { fields, totalMinor, submit, failure, isBusy } = usePlaceOrder(offer, price);
  const field = (name: keyof typeof fields.values) => ({ name, ...fields.getInputProps(name) });
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      <div className={classes.pair}>
        <TextInput
          data-first
          inputMode="numeric"
          dir="ltr"
          label={t({ id: 'billing.order.seats', defaultMessage: 'More seats' })}
          {...field('seats')}
        />
        <TextInput
          inputMode="numeric"
          dir="ltr"
          label={t({ id: 'billing.order.months', defaultMessage: 'Months' })}
          {...field('months')}
        />
      </div>
      <TextInput
        dir="auto"
        maxLength={120}
        label={t({ id: 'billing.order.name', defaultMessage: 'Name on the invoice' })}
        {...field('name')}
      />
      <Textarea
        dir="auto"
        rows={3}
        label={t({ id: 'billing.order.address', defaultMessage: 'Address' })}
        {...field('address')}
      />
      <TextInput
        dir="ltr"
        maxLength={40}
        label={t({ id: 'billing.order.taxNumber', defaultMessage: 'Tax number, if any' })}
        {...field('taxNumber')}
      />
      <TextInput
        dir="auto"
        maxLength={60}
        label={t({ id: 'billing.order.reference', defaultMessage: 'Your reference, if any' })}
        {...field('reference')}
      />
      <p className={classes.total}>
        <span className="p-quiet p-sm">
          {t(
            { id: 'billing.order.each', defaultMessage: '{price} for a seat and month' },
            { price: money(price.seatMinor, price.currency) },
          )}
        </span>
        <b>{totalMinor === null ? '–' : money(totalMinor, price.currency)}</b>
      </p>
      <FormFailureNote failure={failure} />
      <div className={form.ends}>
        <Button type="submit" loading={isBusy} {...off}>
          {t({ id: 'billing.order.submit', defaultMessage: 'Order on invoice' })}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {t({ id: 'billing.order.cancel', defaultMessage: 'Cancel' })}
        </Button>
      </div>
    </form>
  );
}
