import { Button, TextInput } from '@mantine/core';
import type { GroupId, RoleKey } from '@parley/contracts';
import { useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useSendsMail } from '../../../domain/mail/use-sends-mail.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import { MadeLink } from '../../../domain/invitation/made-link.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useRefreshPeople } from '../people/use-people-commands.ts';
import { useRoles, useSeats } from '../../../domain/role/use-roles.ts';
import { DaysChoice } from './days-choice.tsx';
import form from '../../../ui/form.module.css';
import classes from '../parts/dialogs.module.css';
import { GroupChoice } from '../people/group-choice.tsx';
import { RoleChoice } from '../people/role-choice.tsx';

const mostPlaces = 10_000;
type Draft = {
  label: string;
  role: RoleKey;
  groupIds: readonly GroupId[];
  domain: string;
  places: string;
  days: number;
};

/** A link by which several may join; once it is made it stands there, this once. */
export function InviteByLink({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const [token, setToken] = useState<string | null>(null);
  const { fields, submit, failure, isBusy } = useLinkForm(setToken);
  const isMade = token !== null;
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      <LinkFields fields={fields} isMade={isMade} />
      <FormFailureNote failure={failure}>
        {isProblem(failure?.error, 'platform.conflict') ? (
          <div>
            {t({
              id: 'organisation.link.lost',
              defaultMessage:
                'The link was made, but its address did not arrive here. Close this and replace the link in the list.',
            })}
          </div>
        ) : null}
      </FormFailureNote>
      {isMade ? <MadeLink token={token} /> : null}
      <footer className={classes.foot}>
        <SeatsLeft />
        {isMade ? (
          <Button variant="default" onClick={onClose}>
            {t({ id: 'organisation.dialog.done', defaultMessage: 'Done' })}
          </Button>
        ) : (
          <>
            <Button variant="subtle" onClick={onClose}>
              {t({ id: 'organisation.dialog.cancel', defaultMessage: 'Cancel' })}
            </Button>
            <Button type="submit" loading={isBusy} {...off}>
              {t({ id: 'organisation.link.make', defaultMessage: 'Make link' })}
            </Button>
          </>
        )}
      </footer>
    </form>
  );
}

function LinkFields({ fields, isMade }: { fields: ReturnType<typeof useLinkForm>['fields']; isMade: boolean }) {
  const { t } = useText();
  const { role, groupIds, days } = fields.values;
  const sendsMail = useSendsMail();
  return (
    <>
      <TextInput
        name="label"
        label={t({ id: 'organisation.link.label', defaultMessage: 'Name of the link' })}
        placeholder={t({ id: 'organisation.link.labelHint', defaultMessage: 'Such as “Link for Field south”' })}
        maxLength={60}
        dir="auto"
        disabled={isMade}
        data-autofocus
        {...fields.getInputProps('label')}
      />
      <div className={classes.pair}>
        <RoleChoice
          value={role}
          error={fields.errors['role']}
          isReadOnly={isMade}
          onChange={(next) => fields.setValues({ role: next })}
        />
        <GroupChoice
          value={groupIds}
          error={fields.errors['groupIds']}
          isReadOnly={isMade}
          onChange={(next) => fields.setValues({ groupIds: next })}
        />
      </div>
      <div className={classes.pair}>
        <TextInput
          name="domain"
          label={t({ id: 'organisation.link.domain', defaultMessage: 'Only for addresses at' })}
          description={
            sendsMail === false
              ? t({
                  id: 'organisation.link.domainNoMail',
                  defaultMessage:
                    'Without an email server Parley can’t verify addresses, so this would let in only people who verified theirs earlier. Leave it empty to let in anyone with the link.',
                })
              : t({
                  id: 'organisation.link.domainAbout',
                  defaultMessage:
                    'They verify their address before they join. Leave it empty to let in anyone with the link.',
                })
          }
          placeholder="example.org"
          maxLength={253}
          dir="ltr"
          disabled={isMade}
          {...fields.getInputProps('domain')}
        />
        <TextInput
          name="places"
          label={t({ id: 'organisation.link.places', defaultMessage: 'At most' })}
          inputMode="numeric"
          maxLength={6}
          disabled={isMade}
          rightSection={
            <span className={classes.unit}>{t({ id: 'organisation.link.people', defaultMessage: 'people' })}</span>
          }
          rightSectionWidth="4.5rem"
          {...fields.getInputProps('places')}
        />
      </div>
      <DaysChoice
        label={t({ id: 'organisation.link.until', defaultMessage: 'Works for' })}
        value={days}
        isReadOnly={isMade}
        onChange={(next) => fields.setValues({ days: next })}
      />
    </>
  );
}

function SeatsLeft() {
  const { t } = useText();
  const seats = useSeats();
  return (
    <p className={`p-meta p-figures ${classes.counts}`}>
      {t({ id: 'organisation.link.place', defaultMessage: 'A place is taken when somebody joins, not before.' })}
      {seats && seats.limit !== null ? (
        <span>
          {t(
            {
              id: 'organisation.link.seats',
              defaultMessage: '{left, number} of {limit, plural, one {# seat} other {# seats}} left',
            },
            { left: Math.max(0, seats.limit - seats.used - seats.held), limit: seats.limit },
          )}
        </span>
      ) : null}
    </p>
  );
}

function useLinkForm(onMade: (token: string) => void) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshPeople();
  const { mine } = useRoles();
  const [id] = useState(() => newId('invitation'));
  const usual = mine.find((role) => role.id === 'member') ?? mine.at(-1);
  const initialValues: Draft = {
    label: '',
    role: usual?.id ?? 'guest',
    groupIds: [],
    domain: '',
    places: '10',
    days: 7,
  };
  return useServerForm({
    initialValues,
    validate: {
      label: (label) =>
        label.trim() === ''
          ? t({ id: 'organisation.link.noLabel', defaultMessage: 'Enter a name by which you find it in the list.' })
          : null,
      places: (places) =>
        /^\d+$/.test(places.trim()) && Number(places) >= 1 && Number(places) <= mostPlaces
          ? null
          : t(
              { id: 'organisation.link.wrongPlaces', defaultMessage: 'Enter a number from 1 to {most, number}.' },
              { most: mostPlaces },
            ),
    },
    send: ({ label, role, groupIds, domain, places, days }) =>
      api('POST /api/org/invitation-links', {
        orgId,
        body: {
          id,
          label,
          role,
          groupIds: [...groupIds],
          domain: domain.trim().replace(/^@/, '') || null,
          places: Number(places),
          days,
        },
      }),
    onSent: async ({ token }) => {
      onMade(token);
      await refresh();
    },
  });
}
