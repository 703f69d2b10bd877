import { Button, InputBase, TextInput } from '@mantine/core';
import type { Locale } from '@parley/contracts';
import { slugFrom } from '@parley/contracts/slug';
import { ChevronDown } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ownTimeZone } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { locales } from '../../../lib/locale.ts';
import { newId } from '../../../lib/new-id.ts';
import { useLocale, usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { MadeLink } from '../../../domain/invitation/made-link.tsx';
import { useActionOff } from '../../../ui/stale.tsx';

const validSlug = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** An organisation for somebody else: name, URL name, whose it will be, and the language in which they are written to. */
export function ProvisionDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const { fields, submit, failure, isBusy, token, open } = useProvision();
  if (token !== null)
    return (
      <Dialog
        title={t({ id: 'installation.provision.done', defaultMessage: 'Organisation created' })}
        onClose={() => void open()}
      >
        <div className={form.form}>
          <MadeLink token={token} />
          <div className={form.actions}>
            <Button variant="default" onClick={() => void open()}>
              {t({ id: 'installation.provision.open', defaultMessage: 'Open organisation' })}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      title={t({ id: 'installation.organisations.create', defaultMessage: 'Create organisation' })}
      onClose={onClose}
    >
      <form className={form.form} noValidate onSubmit={submit}>
        <TextInput
          name="name"
          data-autofocus
          dir="auto"
          maxLength={80}
          label={t({ id: 'installation.provision.name', defaultMessage: 'Name of the organisation' })}
          {...fields.getInputProps('name')}
        />
        <TextInput
          name="slug"
          dir="ltr"
          maxLength={40}
          label={t({ id: 'installation.provision.slug', defaultMessage: 'URL name' })}
          placeholder={slugFrom(fields.values.name)}
          description={t({
            id: 'installation.provision.slugAbout',
            defaultMessage: 'Optional. Created from the name if you leave it empty.',
          })}
          {...fields.getInputProps('slug')}
        />
        <TextInput
          name="email"
          type="email"
          dir="ltr"
          label={t({ id: 'installation.provision.email', defaultMessage: 'Email of the first owner' })}
          description={t({
            id: 'installation.provision.emailAbout',
            defaultMessage: 'They get an invitation, good for 14 days. You do not become a member.',
          })}
          {...fields.getInputProps('email')}
        />
        <InputBase
          component="select"
          label={t({ id: 'installation.provision.locale', defaultMessage: 'Language of its emails' })}
          rightSection={<ChevronDown />}
          rightSectionPointerEvents="none"
          value={fields.values.locale}
          onChange={(event) => fields.setFieldValue('locale', event.currentTarget.value as Locale)}
        >
          {locales.map(({ locale, name }) => (
            <option key={locale} value={locale} lang={locale}>
              {name}
            </option>
          ))}
        </InputBase>
        <FormFailureNote failure={failure} />
        <div className={form.ends}>
          <Button type="submit" loading={isBusy} {...off}>
            {t({ id: 'installation.provision.submit', defaultMessage: 'Create and invite' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'installation.provision.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function useProvision() {
  const { t } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const paths = usePaths();
  const [ids] = useState(() => ({ id: newId('organisation'), invitationId: newId('invitation') }));
  const { id, invitationId } = ids;
  const [token, setToken] = useState<string | null>(null);
  const open = async () => navigate(paths.to('settings/org_admin/:orgId', { orgId: id }));
  const { fields, ...rest } = useServerForm({
    initialValues: { name: '', slug: '', email: '', locale: useLocale() },
    validate: {
      name: (name) =>
        name.trim() === ''
          ? t({ id: 'installation.provision.nameCheck', defaultMessage: 'Enter the name that its members will see.' })
          : null,
      slug: (slug) =>
        slug !== '' && !validSlug.test(slug)
          ? t({ id: 'installation.provision.slugCheck', defaultMessage: 'Use lowercase letters, digits and hyphens.' })
          : null,
      email: (email) =>
        email.includes('@')
          ? null
          : t({ id: 'installation.provision.emailCheck', defaultMessage: 'Enter an email address.' }),
    },
    send: ({ name, slug, email, locale }) => {
      const body = {
        id,
        name: name.trim(),
        ...(slug && { slug }),
        owner: { invitationId, email },
        locale,
        timeZone: ownTimeZone(),
        seatLimit: null,
      };
      return api('POST /api/org/all-organisations', { body, retries: 2 });
    },
    onSent: async ({ link }) => {
      void client.invalidateQueries({ queryKey: resourceKey('all-organisations', null) });
      if (link) setToken(link.token);
      else await open();
    },
    fieldOfProblem: { 'org.slug-taken': 'slug' },
  });
  return { fields, token, open, ...rest };
}
