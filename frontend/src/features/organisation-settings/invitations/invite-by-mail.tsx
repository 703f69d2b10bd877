import { Button, Textarea } from '@mantine/core';
import type { GroupId, RoleKey } from '@parley/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Answer } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useSendsMail } from '../../../domain/mail/use-sends-mail.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { verdictsOf, type AddressLine, type Report } from './address-lines.ts';
import { reportQuery } from './use-address-report.ts';
import { useRefreshPeople } from '../people/use-people-commands.ts';
import { useRoles, useSeats } from '../../../domain/role/use-roles.ts';
import { AddressField } from './address-field.tsx';
import { DaysChoice } from './days-choice.tsx';
import form from '../../../ui/form.module.css';
import classes from '../parts/dialogs.module.css';
import { GroupChoice } from '../people/group-choice.tsx';
import { Invited } from './invited.tsx';
import { RoleChoice } from '../people/role-choice.tsx';

const longestMessage = 500;
export type Sent = Answer<'POST /api/org/invitations'>;
type Draft = { people: AddressLine[]; role: RoleKey; groupIds: readonly GroupId[]; message: string; days: number };

/** A mail of their own for each address, after it was said which of them gets one. */
export function InviteByMail({ onClose }: { onClose: () => void }) {
  const { t, rich } = useText();
  const sendsMail = useSendsMail() !== false;
  const [result, setResult] = useState<Sent | null>(null);
  const { fields, submit, failure, isBusy } = useInviteForm(sendsMail, onClose, setResult);
  const { people, role, groupIds, message, days } = fields.values;
  const orgId = useTab().organisation.id;
  const { data } = useQuery(reportQuery(orgId, people));
  const report = people.length > 0 ? data : undefined;
  const count = verdictsOf(people, report).filter((one) => one?.verdict === 'fine').length;
  if (result) return <Invited result={result} sendsMail={sendsMail} onClose={onClose} />;
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      {sendsMail ? null : (
        <Note kind="info">
          {rich(
            {
              id: 'organisation.invite.noMail',
              defaultMessage:
                '<b>Parley has no email server, so it sends no email.</b> You get a link for each person to copy and pass on.',
            },
            { b: (chunks) => <b key="b">{chunks}</b> },
          )}
        </Note>
      )}
      <AddressField
        lines={people}
        report={report}
        error={fields.errors['people']}
        onChange={(next) => fields.setValues({ people: next })}
      />
      <div className={classes.pair}>
        <RoleChoice value={role} error={fields.errors['role']} onChange={(next) => fields.setValues({ role: next })} />
        <GroupChoice
          value={groupIds}
          error={fields.errors['groupIds']}
          onChange={(next) => fields.setValues({ groupIds: next })}
        />
      </div>
      <Textarea
        name="message"
        label={t({ id: 'organisation.invite.message', defaultMessage: 'Message' })}
        placeholder={
          sendsMail
            ? t({ id: 'organisation.invite.messageHint', defaultMessage: 'Optional, included in the email' })
            : t({ id: 'organisation.invite.messageHintNoMail', defaultMessage: 'Optional, shown with the invitation' })
        }
        rows={2}
        dir="auto"
        maxLength={longestMessage}
        value={message}
        error={fields.errors['message']}
        onChange={(event) => fields.setValues({ message: event.currentTarget.value })}
      />
      <DaysChoice
        label={t({ id: 'organisation.invite.open', defaultMessage: 'Open for' })}
        value={days}
        onChange={(next) => fields.setValues({ days: next })}
      />
      <FormFailureNote failure={failure} />
      <Foot {...{ count, days, isBusy, sendsMail, onClose }} seatsLeft={report?.seatsLeft} />
    </form>
  );
}

type FootProps = {
  count: number;
  days: number;
  seatsLeft: number | null | undefined;
  isBusy: boolean;
  sendsMail: boolean;
  onClose: () => void;
};

function Foot({ count, days, seatsLeft, isBusy, sendsMail, onClose }: FootProps) {
  const { t, rich } = useText();
  const off = useActionOff();
  const limit = useSeats()?.limit ?? null;
  const left = seatsLeft === null || seatsLeft === undefined ? null : seatsLeft - count;
  return (
    <footer className={classes.foot}>
      <p className={`p-meta p-figures ${classes.counts}`} aria-live="polite">
        <span>
          {rich(
            {
              id: 'organisation.invite.counts',
              defaultMessage:
                '<b>{count, plural, one {# invitation} other {# invitations}}</b>, open for {days, plural, one {# day} other {# days}}',
            },
            { b: (chunks) => <b>{chunks}</b>, count, days },
          )}
        </span>
        {left === null || limit === null ? null : left < 0 ? (
          <span className={classes.wrong}>
            {t(
              {
                id: 'organisation.invite.noSeats',
                defaultMessage:
                  '{seats, plural, =0 {No seat is left} one {Only # seat is left} other {Only # seats are left}}',
              },
              { seats: left + count },
            )}
          </span>
        ) : (
          <span>
            {t(
              {
                id: 'organisation.invite.seatsAfter',
                defaultMessage: '{left, number} of {limit, plural, one {# seat} other {# seats}} left after these',
              },
              { left, limit },
            )}
          </span>
        )}
      </p>
      <Button variant="subtle" onClick={onClose}>
        {t({ id: 'organisation.dialog.cancel', defaultMessage: 'Cancel' })}
      </Button>
      <Button type="submit" loading={isBusy} {...off}>
        {sendsMail
          ? t(
              {
                id: 'organisation.invite.send',
                defaultMessage:
                  '{count, plural, =0 {Send invitations} one {Send # invitation} other {Send # invitations}}',
              },
              { count },
            )
          : t(
              {
                id: 'organisation.invite.makeLinks',
                defaultMessage: '{count, plural, =0 {Create links} one {Create # link} other {Create # links}}',
              },
              { count },
            )}
      </Button>
    </footer>
  );
}

function useInviteForm(sendsMail: boolean, onClose: () => void, onResult: (result: Sent) => void) {
  const { t } = useText();
  const client = useQueryClient();
  const { id: orgId, locale } = useTab().organisation;
  const refresh = useRefreshPeople();
  const { mine } = useRoles();
  const usual = mine.find(({ id }) => id === 'member') ?? mine.at(-1);
  const initialValues: Draft = { people: [], role: usual?.id ?? 'guest', groupIds: [], message: '', days: 7 };
  const nobody = t({
    id: 'organisation.invite.nobody',
    defaultMessage: 'Enter the email address of someone to invite.',
  });
  const fine = (people: readonly AddressLine[], report: Report | undefined) =>
    verdictsOf(people, report).flatMap((checked, at) => {
      const id = people[at]?.id;
      return id && checked?.verdict === 'fine' ? [{ id, email: checked.address }] : [];
    });
  return useServerForm<Draft, Sent | null>({
    initialValues,
    validate: {
      people: (people) => {
        const known = client.getQueryData<Report>(reportQuery(orgId, people).queryKey);
        return people.length === 0 || (known && fine(people, known).length === 0) ? nobody : null;
      },
    },
    send: async ({ people, role, groupIds, message, days }) => {
      // The last address may have been entered by the very click on the button.
      const chosen = fine(people, await client.ensureQueryData(reportQuery(orgId, people)));
      if (chosen.length === 0) return null;
      return api('POST /api/org/invitations', {
        orgId,
        body: { people: chosen, role, groupIds: [...groupIds], message: message.trim() || null, locale, days },
        retries: 2,
      });
    },
    onSent: async (sent) => {
      if (!sent) return;
      if (sent.leftOut.length > 0 || !sendsMail || sent.links?.length) onResult(sent);
      else onClose();
      await refresh();
    },
  });
}
