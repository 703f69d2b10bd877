import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { ApiKey, createApiKey } from '@parley/contracts';
import type { ResponseOf } from '@parley/protocol';
import { keyPermissions, type Permission } from '@parley/contracts/permissions';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import form from '../../../ui/form.module.css';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { dateOf, endOfChoice, longestMs, offeredDays, type EndChoice } from './key-end.ts';
import { RightsChoice } from './rights-choice.tsx';

export type MadeKey = ResponseOf<typeof createApiKey>;
type Props = {
  /** The key that it is to replace: it gets the same name and rights. */
  like: ApiKey | null;
  onMade: (made: MadeKey) => void;
  onClose: () => void;
};

/** A name, an end, and which of one's own rights it gets. */
export function CreateKeyDialog({ like, onMade, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const { fields, submit, failure, isBusy, own } = useCreate({ like, onMade, onClose });
  const title = like
    ? t({ id: 'settings.keys.replaceTitle', defaultMessage: 'Replace the key “{name}”' }, { name: like.name })
    : t({ id: 'settings.keys.create', defaultMessage: 'Create key' });
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={submit}>
        {like ? (
          <p className="p-sm p-quiet">
            {t({
              id: 'settings.keys.replaceText',
              defaultMessage: 'The new key gets the same rights. The old one works until it ends or you revoke it.',
            })}
          </p>
        ) : null}
        <TextInput
          data-autofocus
          name="name"
          label={t({ id: 'settings.keys.name', defaultMessage: 'Name' })}
          placeholder={t({ id: 'settings.keys.nameExample', defaultMessage: 'Which program it is for' })}
          maxLength={60}
          dir="auto"
          autoComplete="off"
          {...fields.getInputProps('name')}
        />
        <EndFields fields={fields} />
        <RightsChoice
          own={own}
          value={fields.values.permissions}
          error={fields.errors['permissions']}
          onChange={(permissions) => fields.setFieldValue('permissions', [...permissions])}
        />
        <FormFailureNote failure={failure} />
        <div className={form.ends}>
          <Button type="submit" loading={isBusy} {...off}>
            {t({ id: 'settings.keys.create', defaultMessage: 'Create key' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'dialog.confirm.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function EndFields({ fields }: { fields: ReturnType<typeof useCreate>['fields'] }) {
  const { t } = useText();
  const { date } = useFormats();
  const [now] = useState(() => Date.now());
  const days = offeredDays.map((count) => ({
    value: String(count),
    label: t(
      {
        id: 'settings.keys.days',
        defaultMessage: '{count, plural, =365 {A year} one {# day} other {# days}}, until {date}',
      },
      { count, date: date(endOfChoice({ days: String(count), date: '' }, now)) },
    ),
  }));
  const other = {
    value: 'date',
    label: t({ id: 'settings.keys.otherDate', defaultMessage: 'Until a date of your choice' }),
  };
  return (
    <>
      <NativeSelect
        name="days"
        label={t({ id: 'settings.keys.ends', defaultMessage: 'Works for' })}
        data={[...days, other]}
        {...fields.getInputProps('days')}
      />
      {fields.values.days === 'date' ? (
        <TextInput
          type="date"
          name="date"
          label={t({ id: 'settings.keys.lastDay', defaultMessage: 'Last day' })}
          min={dateOf(now)}
          max={dateOf(now + longestMs)}
          {...fields.getInputProps('date')}
        />
      ) : null}
    </>
  );
}

type Values = EndChoice & { name: string; permissions: Permission[] };

function useCreate({ like, onMade, onClose }: Props) {
  const { t } = useText();
  const client = useQueryClient();
  const { organisation } = useTab();
  const orgId = organisation.id;
  const [id] = useState(() => newId('apiKey'));
  const own = keyPermissions.filter((permission) => organisation.permissions.includes(permission));
  const { fields, ...sending } = useServerForm<Values, MadeKey>({
    initialValues: {
      name: like?.name ?? '',
      days: '90',
      date: '',
      permissions: like ? own.filter((permission) => like.permissions.includes(permission)) : own,
    },
    validate: {
      name: (name) =>
        name.trim() === ''
          ? t({ id: 'settings.keys.noName', defaultMessage: 'Give it a name by which you know it.' })
          : null,
      date: (_date, choice) =>
        Number.isNaN(endOfChoice(choice, Date.now()))
          ? t({ id: 'settings.keys.noDate', defaultMessage: 'Choose a day from today on, within a year.' })
          : null,
      permissions: (chosen) =>
        chosen.every((right) => right === 'org:read')
          ? t({ id: 'settings.keys.noRights', defaultMessage: 'Choose its permissions.' })
          : null,
    },
    send: ({ name, permissions, ...choice }) => {
      const endsAt = new Date(endOfChoice(choice, Date.now())).toISOString();
      return api('POST /api/auth/my-api-keys', { orgId, body: { id, name, permissions, endsAt } });
    },
    onSent: async (made) => {
      onMade(made);
      onClose();
      await client.invalidateQueries({ queryKey: resourceKey('my-api-keys', orgId) });
    },
  });
  return { fields, own, ...sending };
}
