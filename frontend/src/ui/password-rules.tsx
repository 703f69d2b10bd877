import { Circle, CircleCheck } from 'lucide-react';
import { useText } from '../lib/text.ts';
import form from './form.module.css';

export const shortestPassword = 12;

/** Below the field of a new password, which names it by `aria-describedby="password-rules"`. */
export function PasswordRules({ password }: { password: string }) {
  const { t } = useText();
  const isLong = password.length >= shortestPassword;
  return (
    <ul className={form.rules} id="password-rules">
      <li data-met={isLong}>
        {isLong ? (
          <CircleCheck size={14} strokeWidth={1.75} aria-hidden="true" />
        ) : (
          <Circle size={14} strokeWidth={1.75} aria-hidden="true" />
        )}
        {t({ id: 'register.rule.length', defaultMessage: '{count} characters or more' }, { count: shortestPassword })}
      </li>
      <li>
        <Circle size={14} strokeWidth={1.75} aria-hidden="true" />
        {t({ id: 'register.rule.common', defaultMessage: 'Not a common password, checked on sending' })}
      </li>
    </ul>
  );
}
