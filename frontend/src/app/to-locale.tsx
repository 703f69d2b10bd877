import { Navigate, useLocation } from 'react-router-dom';
import { preferredLocale } from '../lib/locale.ts';

/** The server redirects addresses without a locale; this does the same when it did not. */
export function ToLocale() {
  const { pathname, search, hash } = useLocation();
  return <Navigate replace to={`/${preferredLocale()}${pathname === '/' ? '' : pathname}${search}${hash}`} />;
}
