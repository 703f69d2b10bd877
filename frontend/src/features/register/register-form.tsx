import { TextInput } from '@mantine/core';
import type { Me } from '@parley/contracts';
import { useRef, useState, type FormEvent } from 'react';
import { useParams } from 'react-router-dom';
import { api, isProblem } from '../../lib/http.ts';
import { isLocale } from '../../lib/locale.ts';
import { newId } from '../../lib/new-id.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useText } from '../../lib/text.ts';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import { EmailField } from '../../ui/email-field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import form from '../../ui/form.module.css';
import { NewPasswordField, shortestPassword } from '../../ui/new-password-field.tsx';

const names = ['name', 'email', 'password'] as const;
type Field = (typeof names)[number];

export type RegisterFormProps = {
  setupToken: string | null;
  /** The account is made by it: for its own address where it was mailed to one. */
  invitation?: { readonly token: string; readonly email: string | null };
  submit?: string;
  onRegistered: (me: Me) => void;
};

export function RegisterForm(props: RegisterFormProps) {
  const { t } = useText();
  const { errors, failure, isBusy, bind, send } = useRegister(props);
  const address = props.invitation?.email ?? null;
  return (
    <form onSubmit={send} noValidate className={form.form}>
      <TextInput
        {...bind('name')}
        size="md"
        autoComplete="name"
        label={t({ id: 'register.field.name', defaultMessage: 'Your name' })}
        error={errors.name}
      />
      {address === null ? null : <input type="hidden" autoComplete="username" value={address} />}
      {address === null ? <EmailField {...bind('email')} error={errors.email} /> : null}
      <NewPasswordField
        {...bind('password')}
        label={
          props.invitation
            ? t({ id: 'register.field.newPassword', defaultMessage: 'Choose a password' })
            : t({ id: 'signIn.field.password', defaultMessage: 'Password' })
        }
        error={errors.password}
      />
      <FormEnd failure={failure} isBusy={isBusy}>
        {props.submit ?? t({ id: 'register.form.submit', defaultMessage: 'Create account' })}
      </FormEnd>
    </form>
  );
}

/** Checked on leaving a field, then while typing; sending checks all and goes to the first that is wrong. */
function useRegister({ setupToken, invitation, onRegistered }: RegisterFormProps) {
  const describe = useProblemText();
  const check = useChecks();
  const { locale } = useParams();
  const [id] = useState(() => newId('user'));
  const [values, setValues] = useState<Record<Field, string>>({
    name: '',
    email: invitation?.email ?? '',
    password: '',
  });
  const [left, setLeft] = useState<Partial<Record<Field, boolean>>>({});
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const inputs = useRef<Partial<Record<Field, HTMLInputElement | null>>>({});
  const first = useRef<HTMLInputElement>(null);
  useFocusOnMount(first);
  const taken = isProblem(error, 'auth.email-taken') ? describe(error).text : undefined;
  const common = isProblem(error, 'auth.password-too-common') ? describe(error).text : undefined;
  const errors = {
    name: left.name ? check('name', values.name) : undefined,
    email: taken ?? (left.email ? check('email', values.email) : undefined),
    password: common ?? (left.password ? check('password', values.password) : undefined),
  };
  const bind = (field: Field) => ({
    name: field,
    value: values[field],
    ref: (element: HTMLInputElement | null) => {
      inputs.current[field] = element;
      if (field === 'name') first.current = element;
    },
    onBlur: () => values[field] !== '' && setLeft((known) => ({ ...known, [field]: true })),
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => {
      setValues((known) => ({ ...known, [field]: value }));
      setError(null);
    },
  });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setLeft({ name: true, email: true, password: true });
    const wrong = names.find((field) => check(field, values[field]));
    if (wrong) return inputs.current[wrong]?.focus();
    setBusy(true);
    setError(null);
    try {
      const body = {
        id,
        ...values,
        locale: isLocale(locale) ? locale : 'en',
        ...(setupToken ? { setupToken } : {}),
        ...(invitation ? { invitation: invitation.token } : {}),
      };
      onRegistered(await api('POST /api/auth/users', { body, retries: 2 }));
    } catch (reason) {
      setError(reason);
      if (isProblem(reason, 'auth.email-taken')) inputs.current.email?.focus();
    } finally {
      setBusy(false);
    }
  };
  return {
    errors,
    failure: error && !taken && !common ? describe(error).text : null,
    isBusy,
    bind,
    send: (event: FormEvent) => void send(event),
  };
}

function useChecks() {
  const { t } = useText();
  return (field: Field, value: string): string | undefined => {
    if (field === 'name' && value.trim() === '')
      return t({ id: 'register.check.name', defaultMessage: 'Enter your name; others see it beside your messages.' });
    if (field === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()))
      return t({ id: 'register.check.email', defaultMessage: 'Enter an email address such as name@example.org.' });
    if (field === 'password' && value.length < shortestPassword)
      return t(
        { id: 'register.check.password', defaultMessage: 'Use {count} characters or more.' },
        { count: shortestPassword },
      );
    return undefined;
  };
}
