import { pageAt } from '@parley/contracts/pages';
import { Navigate, useLocation } from 'react-router-dom';
import { belowLocale, usePaths } from '../lib/paths.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** A visitor at a page of somebody signed in goes to sign-in, and comes back to it afterwards. */
export function TurnedAway() {
  const paths = usePaths();
  const { pathname, search, hash } = useLocation();
  if (!pageAt(belowLocale(pathname))) return <NotFoundPage standalone />;
  return <Navigate replace to={`${paths.root}?next=${encodeURIComponent(pathname + search + hash)}`} />;
}
