import type { MailDelivery } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import classes from './mail.module.css';

/** An outage since when and with which words, or that there is no mail server; nothing while all is well. */
export function DeliveryNote({ delivery }: { delivery: MailDelivery }) {
  const { rich } = useText();
  const { exact } = useFormats();
  const { delivers, waiting, failingSince, failure } = delivery;
  if (failingSince !== null)
    return (
      <div className={classes.note}>
        <Note kind="danger" isAlert>
          {rich(
            {
              id: 'installation.delivery.failing',
              defaultMessage:
                '<b>Emails are delayed.</b> {count, plural, one {# email has} other {# emails have}} been waiting since {time} and {count, plural, one {is} other {are}} tried again for a day or until the link expires. Last answer: {failure}',
            },
            {
              b: (text) => <strong key="title">{text}</strong>,
              count: waiting,
              time: <time key="time">{exact(failingSince)}</time>,
              failure: (
                <bdi key="failure" className="p-mono">
                  {failure}
                </bdi>
              ),
            },
          )}
        </Note>
      </div>
    );
  if (delivers) return null;
  return (
    <div className={classes.note}>
      <Note kind="info">
        {rich(
          {
            id: 'installation.delivery.none',
            defaultMessage:
              '<b>No email server is set, so no emails are sent.</b> Links are kept here until they expire: show one and give it to its owner. Emails are sent once {url} and {from} are set.',
          },
          {
            b: (text) => <strong key="title">{text}</strong>,
            url: <code key="url">PARLEY_SMTP_URL</code>,
            from: <code key="from">PARLEY_MAIL_FROM</code>,
          },
        )}
      </Note>
    </div>
  );
}
