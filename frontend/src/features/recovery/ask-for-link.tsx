import { Button, TextInput } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '../../lib/text.ts';
import form from '../../ui/form.module.css';
import { Note } from '../../ui/note.tsx';
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
      <TextInput
        ref={input}
        size="md"
        type="email"
        name="email"
        autoComplete="username"
        dir="auto"
        label={t({ id: 'signIn.field.email', defaultMessage: 'Work email' })}
        value={email}
        error={
          isWrong
            ? t({ id: 'recovery.check.email', defaultMessage: 'Enter an email address such as name@example.org.' })
            : undefined
        }
        onChange={(event) => {
          onEmail(event.currentTarget.value);
          setWrong(false);
          clear();
        }}
      />
      {failure ? (
        <Note kind="danger" isAlert>
          {failure}
        </Note>
      ) : null}
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        {recovery?.sendsMail === false
          ? t({ id: 'recovery.ask.submitNoMail', defaultMessage: 'Ask for a link' })
          : t({ id: 'recovery.ask.submit', defaultMessage: 'Send the link' })}
      </Button>
      <p className="p-sm">
        <Link className="p-link" to={signInPath}>
          {t({ id: 'recovery.back.signIn', defaultMessage: 'Back to sign-in' })}
        </Link>
      </p>
    </form>
  );
}
