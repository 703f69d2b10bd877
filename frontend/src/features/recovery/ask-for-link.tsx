import { useRef, useState, type FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '../../lib/text.ts';
import { EmailField } from '../../ui/email-field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import form from '../../ui/form.module.css';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import { VisitorHeading } from '../../ui/visitor-heading.tsx';
import { useAsk } from './use-ask.ts';
import { useWhoHandsOver, type Recovery } from './who-hands-over.ts';

type Props = {
  email: string;
  onEmail: (email: string) => void;
  recovery: Recovery | null;
  signInPath: string;
  onAsked: (asked: { email: string; endsAt: string }) => void;
};

export function AskForLink({ email, onEmail, recovery, signInPath, onAsked }: Props) {
  const { t } = useText();
  const { ask, isBusy, failure, clear } = useAsk(onAsked);
  const whoHandsOver = useWhoHandsOver();
  const [isWrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useFocusOnMount(input);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())) {
      setWrong(true);
      return input.current?.focus();
    }
    void ask(email.trim());
  };
  return (
    <form onSubmit={send} noValidate className={form.form}>
      <VisitorHeading title={t({ id: 'recovery.ask.title', defaultMessage: 'Reset your password' })}>
        {recovery?.sendsMail === false
          ? t(
              {
                id: 'recovery.ask.noMail',
                defaultMessage: 'No emails are sent here: ask for a link, then {people} can give it to you.',
              },
              { people: whoHandsOver(recovery) },
            )
          : t({
              id: 'recovery.ask.subtitle',
              defaultMessage: 'You get a link by email. It works once, for 30 minutes.',
            })}
      </VisitorHeading>
      <EmailField
        ref={input}
        value={email}
        error={
          isWrong
            ? t({ id: 'register.check.email', defaultMessage: 'Enter an email address such as name@example.org.' })
            : undefined
        }
        onChange={(event) => {
          onEmail(event.currentTarget.value);
          setWrong(false);
          clear();
        }}
      />
      <FormEnd failure={failure} isBusy={isBusy}>
        {recovery?.sendsMail === false
          ? t({ id: 'recovery.ask.submitNoMail', defaultMessage: 'Ask for a link' })
          : t({ id: 'recovery.ask.submit', defaultMessage: 'Send the link' })}
      </FormEnd>
      <p className="p-sm">
        <Link className="p-link" to={signInPath}>
          {t({ id: 'recovery.back.signIn', defaultMessage: 'Back to sign-in' })}
        </Link>
      </p>
    </form>
  );
}
