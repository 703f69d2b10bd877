import { Button, TextInput } from '@mantine/core';
import type { OrganisationLimit, PlatformOrganisation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useLimitAmount, useLimitName } from './limit-words.ts';
import { useSetLimit, type ShownLimit } from './use-organisation-limits.ts';
import { FormDialog } from '../parts/form-dialog.tsx';

const gigabyte = 1e9;
/** Storage is typed in GB, with a point or a comma. */
const unitOf = (quota: ShownLimit['quota']) => (quota === 'storage' ? gigabyte : 1);

function amountFrom(typed: string, { quota, highest }: ShownLimit): number | null {
  const text = typed.trim().replace(',', '.');
  const pattern = quota === 'storage' ? /^\d{1,6}(\.\d{1,3})?$/ : /^\d{1,7}$/;
  const amount = Math.round(Number(text) * unitOf(quota));
  return pattern.test(text) && amount <= highest ? amount : null;
}

type Props = { organisation: PlatformOrganisation; limit: ShownLimit; onClose: () => void };

/** Sets another limit for one organisation, or the default again. */
export function LimitDialog({ organisation, limit, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const toast = useToast();
  const [nameOf, amountOf] = [useLimitName(), useLimitAmount()];
  const [newer, setNewer] = useState<OrganisationLimit | null>(null);
  const set = useSetLimit(organisation.id);
  const current: ShownLimit = { ...limit, ...newer };
  const { quota, highest, defaultCeiling, ceiling } = current;
  const done = (after: OrganisationLimit) => {
    onClose();
    const undo = () => void set({ ...after, service: limit.service }, limit.isSet ? limit.ceiling : null);
    toast({ text: t({ id: 'organisation.limits.done', defaultMessage: 'Limit changed' }), undo });
  };
  const notice = (error: unknown) =>
    isProblem(error, 'platform.conflict') ? setNewer(error.problem.current as OrganisationLimit) : undefined;
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { amount: String(limit.ceiling / unitOf(limit.quota)) },
    validate: {
      amount: (typed) =>
        amountFrom(typed, current) === null
          ? t(
              { id: 'organisation.limits.check', defaultMessage: 'Enter a number up to {highest}.' },
              { highest: amountOf(quota, highest) },
            )
          : null,
    },
    send: ({ amount }) => set(current, amountFrom(amount, current)),
    onSent: done,
    onRefused: notice,
  });
  const reset = useMutation({ mutationFn: () => set(current, null), onSuccess: done, onError: notice });
  return (
    <FormDialog
      title={t(
        { id: 'organisation.limits.dialog', defaultMessage: '{name} of {organisation}' },
        { name: nameOf(quota), organisation: `\u2068${organisation.name}\u2069` },
      )}
      save={t({ id: 'organisation.platform.changeLimit', defaultMessage: 'Change limit' })}
      isBusy={isBusy}
      failure={failure}
      now={
        newer &&
        t(
          { id: 'organisation.limits.now', defaultMessage: 'The limit is now {limit}.' },
          { limit: amountOf(quota, ceiling) },
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        name="amount"
        inputMode="decimal"
        dir="ltr"
        data-autofocus
        label={
          quota === 'storage'
            ? t({ id: 'organisation.limits.gigabytes', defaultMessage: 'Limit in GB' })
            : t({ id: 'organisation.limits.limit', defaultMessage: 'Limit' })
        }
        description={t(
          {
            id: 'organisation.limits.about',
            defaultMessage: 'The default is {amount}. A limit below what is used deletes nothing, but allows no more.',
          },
          { amount: amountOf(quota, defaultCeiling) },
        )}
        {...fields.getInputProps('amount')}
      />
      {current.isSet ? (
        <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate()} {...off}>
          {t({ id: 'organisation.limits.reset', defaultMessage: 'Use the default limit' })}
        </Button>
      ) : null}
    </FormDialog>
  );
}
