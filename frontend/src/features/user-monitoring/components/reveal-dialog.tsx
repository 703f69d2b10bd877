import { Button, NativeSelect, Textarea } from '@mantine/core';
import type { PersonUse, RevealHours } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import form from '../../../ui/form.module.css';

const longestReason = 500;
type Props = { person: PersonUse; onClose: () => void };

/** Why, and for how long; the person is told both. */
export function RevealDialog({ person, onClose }: Props) {
  const { t } = useText();
  const client = useQueryClient();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const [id] = useState(() => newId('nameReveal'));
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { reason: '', hours: '24' },
    validate: {
      reason: (reason) =>
        reason.trim() === '' ? t({ id: 'people.reveal.missing', defaultMessage: 'Say why, in a few words.' }) : null,
    },
    send: ({ reason, hours }) =>
      api('POST /api/monitoring/name-reveals', {
        orgId,
        body: { id, personId: person.id, reason, hours: Number(hours) as RevealHours },
        retries: 2,
      }),
    onSent: async () => {
      await client.invalidateQueries({ queryKey: resourceKey('people', orgId) });
      onClose();
    },
  });
  const ends = [
    { value: '1', label: t({ id: 'people.reveal.hour', defaultMessage: '1 hour' }) },
    { value: '24', label: t({ id: 'people.reveal.day', defaultMessage: '24 hours' }) },
    { value: '168', label: t({ id: 'people.reveal.week', defaultMessage: '7 days' }) },
  ];
  return (
    <Dialog
      title={t({ id: 'people.reveal.title', defaultMessage: 'Ask for the name of {who}' }, { who: person.pseudonym })}
      onClose={onClose}
    >
      <form className={form.form} noValidate onSubmit={submit}>
        <p className="p-quiet">
          {t({
            id: 'people.reveal.about',
            defaultMessage:
              'Only you see the name, and only until it ends. The person gets an email with your name, the reason and the end; the audit log records it too.',
          })}
        </p>
        <Textarea
          name="reason"
          label={t({ id: 'people.reveal.reason', defaultMessage: 'Reason' })}
          rows={3}
          maxLength={longestReason}
          dir="auto"
          data-autofocus
          {...fields.getInputProps('reason')}
        />
        <NativeSelect
          name="hours"
          label={t({ id: 'people.reveal.end', defaultMessage: 'Ends after' })}
          data={ends}
          {...fields.getInputProps('hours')}
        />
        <FormFailureNote failure={failure} />
        <div className={form.endsAtEnd}>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'people.reveal.cancel', defaultMessage: 'Cancel' })}
          </Button>
          <Button type="submit" loading={isBusy} {...off}>
            {t({ id: 'people.reveal.confirm', defaultMessage: 'Show the name and tell the person' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
