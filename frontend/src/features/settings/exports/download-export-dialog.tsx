import { Button, PasswordInput } from '@mantine/core';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { useActionOff } from '../../../ui/stale.tsx';

/** Asks for the password: for ten minutes after it, exports can be downloaded. */
export function DownloadExportDialog({ onConfirmed, onClose }: { onConfirmed: () => void; onClose: () => void }) {
  const { t } = useText();
  const { me } = useTab();
  const off = useActionOff();
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { password: '' },
    validate: {
      password: (password) =>
        password === ''
          ? t({ id: 'settings.data.export.needsPassword', defaultMessage: 'Enter your password.' })
          : null,
    },
    send: (body) => api('POST /api/auth/confirm', { body }),
    onSent: onConfirmed,
    fieldOfProblem: { 'auth.password-wrong': 'password' },
  });
  return (
    <Dialog
      title={t({ id: 'settings.data.export.downloadTitle', defaultMessage: 'Enter your password to download' })}
      onClose={onClose}
    >
      <form className={form.form} noValidate onSubmit={submit}>
        <p className="p-quiet">
          {t({
            id: 'settings.data.export.downloadText',
            defaultMessage: 'The export contains all your chats, so Parley checks that it’s you.',
          })}
        </p>
        <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
        <PasswordInput
          name="password"
          autoComplete="current-password"
          data-autofocus
          label={t({ id: 'settings.data.export.password', defaultMessage: 'Current password' })}
          visibilityToggleButtonProps={{
            'aria-label': t({ id: 'form.password.show', defaultMessage: 'Show or hide the password' }),
          }}
          {...fields.getInputProps('password')}
        />
        <FormFailureNote failure={failure} />
        <div className={form.actions}>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'dialog.confirm.cancel', defaultMessage: 'Cancel' })}
          </Button>
          <Button type="submit" loading={isBusy} {...off}>
            {t({ id: 'settings.data.export.downloadConfirm', defaultMessage: 'Download' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
