import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/CloseButton.css';
import { Button, Modal, TextInput } from '@mantine/core';
import type { ListedMail } from '@parley/contracts';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { useFormats } from '../../../lib/formats.ts';
import { api, type Answer } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';

type Shown = Answer<'POST /api/auth/mails/:mailId/link'>;
type Props = { mail: ListedMail; onClose: () => void };

/** First the reason, which is recorded and told to the recipient; then the link, here and nowhere else. */
export function ShowLinkDialog({ mail, onClose }: Props) {
  const { t } = useText();
  const [shown, setShown] = useState<Shown | null>(null);
  const title = t({ id: 'installation.link.title', defaultMessage: 'Show the link for {email}' }, { email: mail.to });
  return (
    <Modal
      opened
      onClose={onClose}
      size="30rem"
      withCloseButton={false}
      padding="lg"
      title={
        <span className="p-h2" dir="auto">
          {title}
        </span>
      }
    >
      {shown ? (
        <TheLink mail={mail} shown={shown} onClose={onClose} />
      ) : (
        <Reason mail={mail} onShown={setShown} onClose={onClose} />
      )}
    </Modal>
  );
}

function Reason({ mail, onShown, onClose }: Props & { onShown: (shown: Shown) => void }) {
  const { t } = useText();
  const off = useActionOff();
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { reason: '' },
    validate: {
      reason: (reason) =>
        reason.trim() === ''
          ? t({ id: 'installation.check.reason', defaultMessage: 'Say why: the recipient reads it.' })
          : null,
    },
    send: ({ reason }) => api('POST /api/auth/mails/:mailId/link', { params: { mailId: mail.id }, body: { reason } }),
    onSent: onShown,
  });
  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <p className="p-quiet">
        {t({
          id: 'installation.link.about',
          defaultMessage:
            'Anyone with the link can act as its owner. A link that you pass on does not verify the address. Your reason is recorded and sent to the person.',
        })}
      </p>
      <TextInput
        name="reason"
        data-autofocus
        dir="auto"
        maxLength={300}
        label={t({ id: 'installation.link.reason', defaultMessage: 'Reason' })}
        {...fields.getInputProps('reason')}
      />
      <FormFailureNote failure={failure} />
      <div className={form.endsAtEnd}>
        <Button variant="subtle" onClick={onClose}>
          {t({ id: 'installation.link.cancel', defaultMessage: 'Cancel' })}
        </Button>
        <Button type="submit" loading={isBusy} {...off}>
          {t({ id: 'installation.link.show', defaultMessage: 'Show link' })}
        </Button>
      </div>
    </form>
  );
}

function TheLink({ mail, shown, onClose }: Props & { shown: Shown }) {
  const { t } = useText();
  const { exact } = useFormats();
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={form.form}>
      <TextInput
        readOnly
        dir="ltr"
        label={t({ id: 'installation.link.field', defaultMessage: 'Link' })}
        value={shown.link}
        onFocus={(event) => event.currentTarget.select()}
        classNames={{ input: 'p-mono' }}
      />
      <Note kind="warning">
        {t(
          {
            id: 'installation.link.hand',
            defaultMessage: 'It works once, until {time}. Hand it to {email} and to nobody else.',
          },
          { time: exact(shown.endsAt), email: mail.to },
        )}
      </Note>
      <div className={form.endsAtEnd}>
        <Button variant="subtle" onClick={onClose}>
          {t({ id: 'installation.link.done', defaultMessage: 'Close' })}
        </Button>
        <Button leftSection={isCopied ? <Check /> : <Copy />} onClick={() => void copyText(shown.link).then(setCopied)}>
          {isCopied
            ? t({ id: 'installation.link.copied', defaultMessage: 'Copied' })
            : t({ id: 'installation.link.copy', defaultMessage: 'Copy link' })}
        </Button>
      </div>
    </div>
  );
}
