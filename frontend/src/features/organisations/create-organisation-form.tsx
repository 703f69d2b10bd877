import { Button, TextInput } from '@mantine/core';
import type { Organisation } from '@parley/contracts';
import { slugFrom } from '@parley/contracts/slug';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ownTimeZone } from '../../lib/formats.ts';
import { api } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';
import { useLocale } from '../../lib/paths.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useText } from '../../lib/text.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { FormFailureNote } from '../../ui/form-failure.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import classes from '../../ui/form.module.css';

const validSlug = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** Name and URL name: the suggested one follows the name; a name without Latin letters gets one from the server. */
export function CreateOrganisationForm({
  size,
  onCreated,
  onCancel,
}: {
  size: 'sm' | 'md';
  onCreated: (organisation: Organisation) => void;
  onCancel?: () => void;
}) {
  const { t } = useText();
  const { fields, setSlug, submit, failure, isBusy } = useCreate(onCreated);
  const { name } = fields.values;
  // Emptied to write an own one, the field stays empty until one leaves it.
  const [isWriting, setWriting] = useState(false);
  const slug = fields.values.slug || (isWriting || name.trim() === '' ? '' : slugFrom(name));
  const off = useActionOff();
  const first = useRef<HTMLInputElement>(null);
  useFocusOnMount(first);
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <TextInput
        ref={first}
        name="name"
        size={size}
        label={t({ id: 'organisations.field.name', defaultMessage: 'Name of the organisation' })}
        dir="auto"
        maxLength={80}
        {...fields.getInputProps('name')}
      />
      <TextInput
        name="slug"
        size={size}
        label={t({ id: 'organisations.field.slug', defaultMessage: 'URL name' })}
        value={slug}
        dir="ltr"
        maxLength={40}
        description={<span dir="ltr">?org={slug || '…'}</span>}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={fields.errors['slug']}
        onBlur={() => {
          setWriting(false);
          fields.validateField('slug');
        }}
        onChange={(event) => {
          setWriting(true);
          setSlug(event.currentTarget.value);
        }}
      />
      <FormFailureNote failure={failure} />
      <div className={classes.actions}>
        <Button type="submit" size={size} fullWidth={!onCancel} loading={isBusy} {...off}>
          {t({ id: 'organisations.form.submit', defaultMessage: 'Create organisation' })}
        </Button>
        {onCancel ? (
          <Button variant="subtle" size={size} onClick={onCancel}>
            {t({ id: 'organisations.form.cancel', defaultMessage: 'Cancel' })}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** The URL name follows the name until the person enters one. */
function useCreate(onCreated: (organisation: Organisation) => void) {
  const { t } = useText();
  const client = useQueryClient();
  const [id] = useState(() => newId('organisation'));
  const locale = useLocale();
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { name: '', slug: '' },
    validate: {
      name: (name) =>
        name.trim() === ''
          ? t({ id: 'organisations.check.name', defaultMessage: 'Enter the name that members will see.' })
          : null,
      slug: (slug) =>
        slug !== '' && !validSlug.test(slug)
          ? t({ id: 'organisations.check.slug', defaultMessage: 'Use lowercase letters, digits and hyphens.' })
          : null,
    },
    send: ({ name, slug }) =>
      api('POST /api/org/organisations', {
        body: { id, name: name.trim(), ...(slug && { slug }), locale, timeZone: ownTimeZone() },
        retries: 2,
      }),
    onSent: async (organisation) => {
      await client.invalidateQueries({ queryKey: resourceKey('organisations', null) });
      onCreated(organisation);
    },
    fieldOfProblem: { 'org.slug-taken': 'slug' },
  });
  const setSlug = (slug: string) => fields.setFieldValue('slug', slug.toLowerCase());
  return { fields, setSlug, submit, failure, isBusy };
}
