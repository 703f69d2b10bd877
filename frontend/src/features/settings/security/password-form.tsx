import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { Note } from '../../../ui/note.tsx';
import { NewPasswordField, shortestPassword } from '../../../ui/new-password-field.tsx';
import { useActionOff } from '../../../ui/stale.tsx';

/** Asks for the present password; says afterwards how many sessions have ended. */
export function PasswordForm() {
  const { t } = useText();
  const { me } = useTab();
  const off = useActionOff();
  const { fields, submit, failure, isBusy, ended } = useChange();
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      {/* Password managers keep the new password under the right name by it. */}
      <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
      <PasswordInput
        name="current"
        autoComplete="current-password"
        label={t({ id: 'settings.password.current', defaultMessage: 'Present password' })}
        visibilityToggleButtonProps={{
          'aria-label': t({ id: 'form.password.show', defaultMessage: 'Show or hide the password' }),
        }}
        {...fields.getInputProps('current')}
      />
      <NewPasswordField
        size="sm"
        label={t({ id: 'settings.password.new', defaultMessage: 'New password' })}
        {...fields.getInputProps('password')}
        value={fields.values.password}
      />
      <FormFailureNote failure={failure} />
      {ended === null ? null : (
        <output>
          <Note kind="success">
            {t(
              {
                id: 'settings.password.done',
                defaultMessage:
                  'Your password was changed. {count, plural, =0 {No other session was open.} one {# other session has ended.} other {# other sessions have ended.}}',
              },
              { count: ended },
            )}
          </Note>
        </output>
      )}
      <div className={form.actions}>
        <Button type="submit" loading={isBusy} {...off}>
          {t({ id: 'settings.password.submit', defaultMessage: 'Change password' })}
        </Button>
      </div>
    </form>
  );
}

function useChange() {
  const { t } = useText();
  const [ended, setEnded] = useState<number | null>(null);
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { current: '', password: '' },
    validate: {
      current: (current) =>
        current === ''
          ? t({ id: 'settings.password.needsCurrent', defaultMessage: 'Enter the password that you have now.' })
          : null,
      password: (password) =>
        password.length < shortestPassword
          ? t(
              { id: 'settings.password.tooShort', defaultMessage: 'Use {count} characters or more.' },
              { count: shortestPassword },
            )
          : null,
    },
    send: (body) => {
      setEnded(null);
      return api('POST /api/auth/password', { body });
    },
    onSent: ({ endedSessions }) => {
      fields.reset();
      setEnded(endedSessions);
    },
    fieldOfProblem: { 'auth.password-wrong': 'current', 'auth.password-too-common': 'password' },
  });
  return { fields, submit, failure, isBusy, ended };
}
