import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useRefreshGroups } from '../group-commands.ts';
import classes from './groups-tab.module.css';

type Props = {
  /** Was opened by hand: takes the focus. */
  isFirst?: boolean;
  onAdded: (id: string) => void;
};

/** A new group needs a name only. */
export function AddGroup({ isFirst = false, onAdded }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const { fields, submit, failure, isBusy } = useAddGroup(onAdded);
  const label = t({ id: 'permissions.groups.name', defaultMessage: 'Name of a new group' });
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <div className={classes.line}>
        <TextInput
          name="name"
          aria-label={label}
          placeholder={label}
          maxLength={60}
          dir="auto"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opened it is gone
          autoFocus={isFirst}
          {...fields.getInputProps('name')}
        />
        <Button type="submit" variant={isFirst ? 'filled' : 'default'} loading={isBusy} {...off}>
          {t({ id: 'permissions.groups.add', defaultMessage: 'Add group' })}
        </Button>
      </div>
      <FormFailureNote failure={failure} />
    </form>
  );
}

function useAddGroup(onAdded: (id: string) => void) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshGroups();
  const [id, setId] = useState(() => newId('group'));
  const { fields, ...rest } = useServerForm({
    initialValues: { name: '' },
    validate: {
      name: (name) =>
        name.trim() === ''
          ? t({ id: 'permissions.groups.noName', defaultMessage: 'Enter a name for the group.' })
          : null,
    },
    send: ({ name }) => api('POST /api/org/groups', { orgId, body: { id, name: name.trim() }, retries: 2 }),
    onSent: async (group) => {
      fields.reset();
      setId(newId('group'));
      await refresh();
      onAdded(group.id);
    },
    fieldOfProblem: { 'org.name-taken': 'name' },
  });
  return { fields, ...rest };
}
