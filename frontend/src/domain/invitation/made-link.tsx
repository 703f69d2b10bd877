import { useEffect, useRef } from 'react';
import { useLocale } from '../../lib/paths.ts';
import { useText } from '../../lib/text.ts';
import { CopyOnce } from '../../ui/copy-once.tsx';
import { Note } from '../../ui/note.tsx';

/** Returns the address of the invitation page with a secret, in the language of this page. */
export function useLinkAddress(): (token: string) => string {
  const locale = useLocale();
  return (token) => `${location.origin}/${locale}/invitation#${token}`;
}

/** Shows the URL of a new invitation link with a copy button. Its secret can't be shown again. */
export function MadeLink({ token }: { token: string }) {
  const { t, rich } = useText();
  const address = useLinkAddress()(token);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
    // At the edge the foot of a dialog covers it.
    button.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Note kind="success">
      {rich(
        {
          id: 'madeLink.ready',
          defaultMessage:
            '<b>The link is ready.</b> Copy it now: it is shown only once. You can replace or revoke it later.',
        },
        { b: (chunks) => <b>{chunks}</b> },
      )}
      <CopyOnce
        text={address}
        words={{
          field: t({ id: 'madeLink.address', defaultMessage: 'Invitation link' }),
          copy: t({ id: 'madeLink.copy', defaultMessage: 'Copy link' }),
          copied: t({ id: 'madeLink.copied', defaultMessage: 'Copied' }),
          notCopied: t({
            id: 'madeLink.notCopied',
            defaultMessage: 'The browser blocked copying. The link is selected: copy it with the keyboard.',
          }),
        }}
        button={button}
      />
    </Note>
  );
}
