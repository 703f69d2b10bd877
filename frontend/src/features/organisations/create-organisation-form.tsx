import { Button, TextInput } from '@mantine/core';
import type { Organisation } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { isProblem } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { organisationsKey } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { Note } from '../../ui/note.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import form from '../../ui/form.module.css';
import { postOrganisation } from './api/list-organisations.ts';
import { slugOf } from './slug.ts';

const validSlug = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** Name, and the short name of its addresses: previewed, and changeable. */
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
  const { name, setName, slug, setSlug, errors, failure, isBusy, send } = useCreate(onCreated);
  const off = useActionOff();
  const first = useRef<HTMLInputElement>(null);
  useFocusOnMount(first);
  return (
    <form className={form.form} noValidate onSubmit={send}>
      <TextInput
        ref={first}
        name="name"
        size={size}
        label={t({ id: 'firstOrganisation.field.name', defaultMessage: 'Name of the organisation' })}
        value={name}
        dir="auto"
        maxLength={80}
        error={errors.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        name="slug"
        size={size}
        label={t({ id: 'firstOrganisation.field.slug', defaultMessage: 'Short name in addresses' })}
        value={slug}
        dir="ltr"
        maxLength={40}
        description={<span dir="ltr">?org={slug || '…'}</span>}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={errors.slug}
        onChange={(event) => setSlug(event.currentTarget.value)}
      />
      {failure ? (
        <Note kind="danger" isAlert>
          {failure}
        </Note>
      ) : null}
      <div className={form.actions}>
        <Button type="submit" size={size} fullWidth={!onCancel} loading={isBusy} {...off}>
          {t({ id: 'firstOrganisation.form.submit', defaultMessage: 'Create organisation' })}
        </Button>
        {onCancel ? (
          <Button variant="subtle" size={size} onClick={onCancel}>
            {t({ id: 'firstOrganisation.form.cancel', defaultMessage: 'Cancel' })}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

function useCreate(onCreated: (organisation: Organisation) => void) {
  const { t } = useText();
  const describe = useProblemText();
  const client = useQueryClient();
  const [id] = useState(() => newId('organisation'));
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const slug = ownSlug ?? slugOf(name);
  const isTaken = isProblem(error, 'org.slug-taken');
  const isSlugWrong = ownSlug !== null && !validSlug.test(ownSlug);
  const errors = {
    name:
      isChecked && name.trim() === ''
        ? t({ id: 'firstOrganisation.check.name', defaultMessage: 'Enter the name that members will see.' })
        : undefined,
    slug: isTaken
      ? describe(error).text
      : isSlugWrong
        ? t({ id: 'firstOrganisation.check.slug', defaultMessage: 'Use lowercase letters, digits and hyphens.' })
        : undefined,
  };
  const send = async (fields: HTMLFormControlsCollection) => {
    const focus = (field: 'name' | 'slug') => (fields.namedItem(field) as HTMLInputElement | null)?.focus();
    setChecked(true);
    if (name.trim() === '') return focus('name');
    if (isSlugWrong) return focus('slug');
    setBusy(true);
    setError(null);
    try {
      const organisation = await postOrganisation({
        id,
        name: name.trim(),
        ...(ownSlug === null ? {} : { slug: ownSlug }),
      });
      await client.invalidateQueries({ queryKey: organisationsKey });
      onCreated(organisation);
    } catch (reason) {
      setError(reason);
      if (isProblem(reason, 'org.slug-taken')) focus('slug');
    } finally {
      setBusy(false);
    }
  };
  return {
    name,
    setName,
    slug,
    errors,
    isBusy,
    setSlug: (next: string) => [setOwnSlug(next === '' ? null : next.toLowerCase()), setError(null)],
    failure: error && !isTaken ? describe(error).text : null,
    send: (event: FormEvent<HTMLFormElement>) => [event.preventDefault(), void send(event.currentTarget.elements)],
  };
}
