import type { Locale } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router-dom';
import { api } from '../../lib/http.ts';
import { leaveSession } from '../../domain/session/own-session.ts';
import { setSession } from '../../domain/session/session.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useErrorToast } from '../../ui/error-toast.ts';

/** What the signed-in person does about the own session and account, from the menu and from the search. */
export function usePersonCommands() {
  const { me } = useTab();
  const client = useQueryClient();
  const navigate = useNavigate();
  const showError = useErrorToast();
  const { pathname, search, hash } = useLocation();
  const signOut = (route: Parameters<typeof leaveSession>[0]) =>
    leaveSession(route).then(() => client.clear(), showError);
  /** The address decides what one sees; the account remembers it for the next device. */
  const chooseLocale = (locale: Locale) => {
    void navigate(pathname.replace(/^\/[^/]+/, `/${locale}`) + search + hash, { replace: true });
    api('PATCH /api/auth/me', { body: { version: me.version, locale } }).then(
      (next) => setSession({ status: 'signed-in', me: next }),
      () => undefined,
    );
  };
  return { signOut, chooseLocale };
}
