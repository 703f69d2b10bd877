import { pageAt } from '@parley/contracts/pages';
import { Navigate, useLocation } from 'react-router-dom';
import { belowLocale, usePaths } from '../lib/paths.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** A visitor at a page of somebody signed in goes to sign-in; who did not leave by a click comes back afterwards. */
export function TurnedAway({ isOwnWish }: { isOwnWish: boolean }) {
  const paths = usePaths();
  const { pathname, search, hash } = useLocation();
  if (isOwnWish) return <Navigate replace to={paths.root} />;
  if (!pageAt(belowLocale(pathname))) return <NotFoundPage standalone />;
  return <Navigate replace to={`${paths.root}?next=${encodeURIComponent(pathname + search + hash)}`} />;
}
