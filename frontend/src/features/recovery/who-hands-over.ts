import { useText } from '../../lib/text.ts';
import type { Recovery } from './forgot-password.tsx';

/** Where no mail is sent: who can show the link. */
export function useWhoHandsOver(): (recovery: Recovery) => string {
  const { t, intl } = useText();
  return ({ contacts }) =>
    contacts.length > 0
      ? intl.formatList(contacts, { type: 'disjunction' })
      : t({ id: 'recovery.contact.nobody', defaultMessage: 'the person who runs this installation' });
}
