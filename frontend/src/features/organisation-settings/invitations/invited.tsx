import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import type { Answer } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { useLinkAddress } from '../../../domain/invitation/made-link.tsx';
import { Note } from '../../../ui/note.tsx';
import { useVerdictWords } from './address-field.tsx';
import form from '../../../ui/form.module.css';
import classes from '../parts/dialogs.module.css';

type Result = Answer<'POST /api/org/invitations'>;
type Link = { readonly id: string; readonly email: string; readonly address: string };
type Props = { result: Result; sendsMail: boolean; onClose: () => void };

/** Who was invited: without a mail server the link of each, this once; and who was left out. */
export function Invited({ result, sendsMail: hasServer, onClose }: Props) {
  const { t } = useText();
  const links = useLinks(result);
  // The answer knows better than what was read before: with a link no mail went out.
  const sendsMail = hasServer && links.length === 0;
  const missing = sendsMail ? 0 : result.items.length - links.length;
  return (
    <div className={form.form}>
      {links.length > 0 ? <Links links={links} /> : null}
      {missing > 0 ? (
        <Note kind="warning" isAlert>
          {t(
            {
              id: 'organisation.invite.missing',
              defaultMessage:
                '{count, plural, one {# invitation was created, but its link can’t be shown again. Choose “New link” in the list.} other {# invitations were created, but their links can’t be shown again. Choose “New link” in the list.}}',
            },
            { count: missing },
          )}
        </Note>
      ) : null}
      {result.leftOut.length > 0 ? <LeftOut result={result} sendsMail={sendsMail} /> : null}
      <div className={form.endsAtEnd}>
        <Button variant="default" onClick={onClose}>
          {t({ id: 'organisation.dialog.done', defaultMessage: 'Done' })}
        </Button>
      </div>
    </div>
  );
}

function useLinks({ items, links = [] }: Result): Link[] {
  const addressOf = useLinkAddress();
  const tokens = new Map(links.map(({ invitationId, token }) => [invitationId, token]));
  return items.flatMap(({ id, email }) => {
    const token = tokens.get(id);
    return token === undefined || email === null ? [] : [{ id, email, address: addressOf(token) }];
  });
}

function Links({ links }: { links: readonly Link[] }) {
  const { t, rich } = useText();
  const all = links.map(({ email, address }) => `${email}\t${address}`).join('\n');
  return (
    <Note kind="success">
      {rich(
        {
          id: 'organisation.invite.links',
          defaultMessage:
            '{count, plural, one {<b># link is ready.</b> Copy it now: it is shown only once. Pass it on to the person yourself.} other {<b># links are ready.</b> Copy them now: they are shown only once. Pass each on to its person yourself.}}',
        },
        { count: links.length, b: (chunks) => <b key="b">{chunks}</b> },
      )}
      <ul className={classes.links}>
        {links.map(({ id, email, address }) => (
          <li key={id}>
            <span>
              <bdi dir="ltr">{email}</bdi>
              <bdi dir="ltr" className="p-mono" title={address}>
                {address}
              </bdi>
            </span>
            <CopyButton
              text={address}
              label={t({ id: 'organisation.invite.copy', defaultMessage: 'Copy' })}
              about={t({ id: 'organisation.invite.copyOne', defaultMessage: 'Copy the link for {email}' }, { email })}
            />
          </li>
        ))}
      </ul>
      {links.length > 1 ? (
        <CopyButton text={all} label={t({ id: 'organisation.invite.copyAll', defaultMessage: 'Copy all' })} />
      ) : null}
    </Note>
  );
}

/** Says for good that it has copied: one sees which of many are done. Where it can't, the list can still be selected. */
function CopyButton({ text, label, about }: { text: string; label: string; about?: string }) {
  const { t } = useText();
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const Icon = isCopied ? Check : Copy;
  return (
    <span className={classes.copy}>
      <Button
        size="xs"
        variant="default"
        aria-label={about}
        leftSection={<Icon size={14} />}
        onClick={() => void copyText(text).then(setCopied)}
      >
        {isCopied ? t({ id: 'organisation.invite.copied', defaultMessage: 'Copied' }) : label}
      </Button>
      <output>
        {isCopied === false
          ? t({ id: 'organisation.invite.notCopied', defaultMessage: 'Select the link and copy it.' })
          : null}
      </output>
    </span>
  );
}

function LeftOut({ result: { items, leftOut }, sendsMail }: Omit<Props, 'onClose'>) {
  const { t } = useText();
  const words = useVerdictWords();
  return (
    <Note kind="warning" isAlert>
      {sendsMail
        ? t(
            {
              id: 'organisation.invite.result',
              defaultMessage:
                '{count, plural, =0 {Nobody was invited} one {# invitation is on its way} other {# invitations are on their way}}. Left out:',
            },
            { count: items.length },
          )
        : t({ id: 'organisation.invite.leftOut', defaultMessage: 'Left out:' })}
      <ul className={classes.leftOut}>
        {leftOut.map(({ email, verdict }) => (
          <li key={email}>{words(email, verdict)}</li>
        ))}
      </ul>
    </Note>
  );
}
