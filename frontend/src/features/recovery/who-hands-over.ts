import type { Answer } from '../../lib/http.ts';
import { useText } from '../../lib/text.ts';

export type Recovery = Answer<'GET /api/auth/password-resets'>;

/** Where no mail is sent: who can show the link. */
export function useWhoHandsOver(): (recovery: Recovery) => string {
  const { t, intl } = useText();
  return ({ contacts }) =>
    contacts.length > 0
      ? intl.formatList(contacts, { type: 'disjunction' })
      : t({ id: 'recovery.contact.nobody', defaultMessage: 'the person who runs this installation' });
}
