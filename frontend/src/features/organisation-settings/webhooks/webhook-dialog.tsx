import { TextInput } from '@mantine/core';
import type { Webhook } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { eventGroups, groupsOf, typesOf, useWebhookWords, type EventGroup } from './webhook-words.ts';
import classes from '../parts/dialogs.module.css';
import { FormDialog } from '../parts/form-dialog.tsx';

type Props = {
  /** Null makes a new one. */
  webhook: Webhook | null;
  onMade: (secret: string | null) => void;
  onClose: () => void;
};

/** An address, and what it is told of. */
export function WebhookDialog({ webhook, onMade, onClose }: Props) {
  const { t } = useText();
  const { groupName } = useWebhookWords();
  const { fields, submit, failure, isBusy, others } = useSave({ webhook, onMade, onClose });
  const { groups } = fields.values;
  const toggle = (group: EventGroup, isIn: boolean) =>
    fields.setFieldValue('groups', isIn ? [...groups, group] : groups.filter((other) => other !== group));
  return (
    <FormDialog
      title={
        webhook
          ? t({ id: 'organisation.webhooks.changeTitle', defaultMessage: 'Change webhook' })
          : t({ id: 'organisation.webhooks.create', defaultMessage: 'Add webhook' })
      }
      save={
        webhook
          ? t({ id: 'organisation.webhooks.save', defaultMessage: 'Save' })
          : t({ id: 'organisation.webhooks.create', defaultMessage: 'Add webhook' })
      }
      isBusy={isBusy}
      failure={failure}
      now={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        name="url"
        type="url"
        dir="ltr"
        data-autofocus
        maxLength={500}
        placeholder="https://"
        label={t({ id: 'organisation.webhooks.url', defaultMessage: 'Address' })}
        {...fields.getInputProps('url')}
      />
      <fieldset className={classes.checks}>
        <legend>{t({ id: 'organisation.webhooks.types', defaultMessage: 'Is told of' })}</legend>
        {eventGroups.map((group) => (
          <label key={group} className={classes.check}>
            <input
              type="checkbox"
              name="groups"
              checked={groups.includes(group)}
              onChange={(event) => toggle(group, event.currentTarget.checked)}
            />
            {groupName(group)}
          </label>
        ))}
        {fields.errors['groups'] ? (
          <p className={classes.checksError} role="alert">
            {fields.errors['groups']}
          </p>
        ) : null}
      </fieldset>
      {others.length > 0 ? (
        <p className="p-sm p-quiet">
          {t({ id: 'organisation.webhooks.others', defaultMessage: 'And of these types, as a program has set it:' })}{' '}
          <bdi dir="ltr" className="p-mono">
            {others.join(', ')}
          </bdi>
        </p>
      ) : null}
      {webhook ? (
        <div>
          <label className={classes.check}>
            <input
              type="checkbox"
              checked={fields.values.isOn}
              onChange={(event) => fields.setFieldValue('isOn', event.currentTarget.checked)}
            />
            {t({ id: 'organisation.webhooks.isOn', defaultMessage: 'On' })}
          </label>
          <p className="p-sm p-quiet">
            {t({
              id: 'organisation.webhooks.isOnAbout',
              defaultMessage: 'What happens while it is off is not told later.',
            })}
          </p>
        </div>
      ) : null}
    </FormDialog>
  );
}

type Values = { url: string; groups: EventGroup[]; isOn: boolean };

function useSave({ webhook, onMade, onClose }: Props) {
  const { t } = useText();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const [id] = useState(() => newId('webhook'));
  const { groups, others } = groupsOf(webhook?.types ?? []);
  const notAllowed = t({
    id: 'organisation.webhooks.notAllowed',
    defaultMessage:
      'A webhook needs a public address that begins with https://. The people who run this server can allow this one.',
  });
  const sending = useServerForm<Values, string | null>({
    initialValues: { url: webhook?.url ?? '', groups, isOn: webhook?.state !== 'off' && webhook?.state !== 'gone' },
    validate: {
      url: (url) =>
        URL.canParse(url)
          ? null
          : t({ id: 'organisation.webhooks.urlCheck', defaultMessage: 'Enter an address that begins with https://.' }),
      groups: (chosen) =>
        chosen.length + others.length > 0
          ? null
          : t({ id: 'organisation.webhooks.typesCheck', defaultMessage: 'Choose at least one.' }),
    },
    fieldOfProblem: { 'platform.address-not-allowed': 'url' },
    // What can be done about it is something else than with model servers.
    onRefused: (error) => {
      if (isProblem(error, 'platform.address-not-allowed')) sending.fields.setFieldError('url', notAllowed);
    },
    send: async ({ url, groups: chosen, isOn }) => {
      const types = typesOf({ groups: chosen, others });
      if (!webhook) return (await api('POST /api/monitoring/webhooks', { orgId, body: { id, url, types } })).secret;
      const params = { webhookId: webhook.id };
      const body = { version: webhook.version, url, types, isOn };
      return (await api('PUT /api/monitoring/webhooks/:webhookId', { orgId, params, body })).secret;
    },
    onSent: async (secret) => {
      onMade(secret);
      onClose();
      await client.invalidateQueries({ queryKey: resourceKey('webhooks', orgId) });
    },
  });
  return { ...sending, others };
}
