import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/CloseButton.css';
import { Modal } from '@mantine/core';
import { Link as LinkIcon, Mail } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../../lib/text.ts';
import { useMediaQuery } from '../../../../lib/use-media-query.ts';
import { useSendsMail } from '../../../../domain/mail/use-sends-mail.ts';
import classes from '../../parts/dialogs.module.css';
import { InviteByLink } from '../invite-by-link.tsx';
import { InviteByMail } from '../invite-by-mail.tsx';

type Props = { mayMail: boolean; mayLink: boolean; onClose: () => void };

/** People come in by a mail of their own each, or by a link for several. */
export function InviteDialog({ mayMail, mayLink, onClose }: Props) {
  const { t } = useText();
  const isSmall = useMediaQuery('(max-width: 699px)');
  const [way, setWay] = useState<'mail' | 'link'>(mayMail ? 'mail' : 'link');
  const ways = [
    {
      key: 'mail',
      icon: Mail,
      label:
        useSendsMail() === false
          ? t({ id: 'organisation.invite.byAddress', defaultMessage: 'By email address' })
          : t({ id: 'organisation.invite.byMail', defaultMessage: 'By email' }),
    },
    { key: 'link', icon: LinkIcon, label: t({ id: 'organisation.invite.byLink', defaultMessage: 'By link' }) },
  ] as const;
  const title = t({ id: 'organisation.members.invite', defaultMessage: 'Invite people' });
  return (
    <Modal
      opened
      onClose={onClose}
      size="32.5rem"
      padding={isSmall ? 14 : 20}
      fullScreen={isSmall}
      title={<span className="p-h2">{title}</span>}
      closeButtonProps={{ 'aria-label': t({ id: 'organisation.invite.close', defaultMessage: 'Close' }) }}
      closeOnClickOutside={false}
    >
      {mayMail && mayLink ? (
        <div className={classes.ways} role="radiogroup" aria-label={title}>
          {ways.map(({ key, icon: Icon, label }) => (
            <label key={key} className={classes.way}>
              <input type="radio" name="way" checked={way === key} onChange={() => setWay(key)} />
              <Icon size={14} />
              {label}
            </label>
          ))}
        </div>
      ) : null}
      {way === 'mail' ? <InviteByMail onClose={onClose} /> : <InviteByLink onClose={onClose} />}
    </Modal>
  );
}
