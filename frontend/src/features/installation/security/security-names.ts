import type { SecurityKind } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

export function useSecurityKinds(): Record<SecurityKind, { words: string; shape: StatusKind }> {
  const { t } = useText();
  return {
    'signed-in': { words: t({ id: 'installation.security.in', defaultMessage: 'Signed in' }), shape: 'ok' },
    'signed-out': { words: t({ id: 'installation.security.out', defaultMessage: 'Signed out' }), shape: 'off' },
    'password-confirmed': {
      words: t({ id: 'installation.security.confirmed', defaultMessage: 'Password confirmed' }),
      shape: 'ok',
    },
    'sign-in-failed': {
      words: t({ id: 'installation.security.wrong', defaultMessage: 'Sign-in failed' }),
      shape: 'warning',
    },
  };
}
