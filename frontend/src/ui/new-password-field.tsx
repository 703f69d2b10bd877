import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { Circle, CircleCheck } from 'lucide-react';
import type { Ref } from 'react';
import { useText } from '../lib/text.ts';
import form from './form.module.css';

export const shortestPassword = 12;

type Props = PasswordInputProps & { value: string; ref?: Ref<HTMLInputElement> };

/** A field for a new password, followed by the rules for passwords. */
export function NewPasswordField(props: Props) {
  const { t } = useText();
  return (
    <>
      <PasswordInput
        size="md"
        name="password"
        autoComplete="new-password"
        aria-describedby="password-rules"
        visibilityToggleButtonProps={{
          'aria-label': t({ id: 'form.password.show', defaultMessage: 'Show or hide the password' }),
        }}
        {...props}
      />
      <Rules password={props.value} />
    </>
  );
}

function Rules({ password }: { password: string }) {
  const { t } = useText();
  const isLong = password.length >= shortestPassword;
  return (
    <ul className={`p-meta ${form.rules}`} id="password-rules">
      <li data-met={isLong}>
        {isLong ? <CircleCheck size={14} /> : <Circle size={14} />}
        {t({ id: 'register.rule.length', defaultMessage: '{count} characters or more' }, { count: shortestPassword })}
      </li>
      <li>
        <Circle size={14} />
        {t({ id: 'register.rule.common', defaultMessage: 'Not a common password, checked on sending' })}
      </li>
    </ul>
  );
}
