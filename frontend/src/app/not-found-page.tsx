import { Button } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { useText } from '../lib/text.ts';
import { ParleyMark } from '../ui/brand.tsx';
import { usePaths } from '../lib/paths.ts';
import classes from './not-found-page.module.css';

export type NearbyPage = { path: string; label: string };

/** The catch-all of every locale. Inside the shell it fills the sheet; visitors see it on its own. */
export function NotFoundPage({
  standalone = false,
  nearby = [],
}: {
  standalone?: boolean;
  nearby?: readonly NearbyPage[];
}) {
  const { t } = useText();
  const paths = usePaths();
  const { pathname } = useLocation();
  const guess = closestPage(pathname, nearby);
  const content = (
    <div className={classes.center}>
      {standalone ? (
        <title>{t({ id: 'notFound.page.documentTitle', defaultMessage: 'Page not found · Parley' })}</title>
      ) : null}
      <div className={classes.text}>
        <ParleyMark size={44} isBroken />
        <h1 className="p-h1">{t({ id: 'notFound.page.title', defaultMessage: 'There is no page at this address' })}</h1>
        <p className="p-quiet">
          {t({
            id: 'notFound.page.advice',
            defaultMessage:
              'It may have been moved, or the link is incomplete. If someone shared a chat with you, ask them to check that it is still shared.',
          })}
        </p>
        <code className={classes.address} dir="ltr">
          {decodeAddress(pathname)}
        </code>
        <div className={classes.actions}>
          {standalone ? (
            <Button component={Link} to={paths.root}>
              {t({ id: 'notFound.page.signIn', defaultMessage: 'Go to sign-in' })}
            </Button>
          ) : (
            <Button component={Link} to={paths.to('chat')} leftSection={<ArrowLeft className="p-mirror" />}>
              {t({ id: 'notFound.page.toChat', defaultMessage: 'Go to chat' })}
            </Button>
          )}
          {guess ? (
            <Button component={Link} to={guess.path} variant="default">
              {t({ id: 'notFound.page.openNearby', defaultMessage: 'Open {page}' }, { page: guess.label })}
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  );
  return standalone ? <main className={classes.standalone}>{content}</main> : content;
}

function decodeAddress(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

/** Offers the page whose last part is nearly what was typed. */
export function closestPage(pathname: string, pages: readonly NearbyPage[]): NearbyPage | null {
  const lastPart = (path: string) => path.split('?')[0]?.split('/').filter(Boolean).at(-1)?.toLowerCase() ?? '';
  const wanted = lastPart(pathname);
  const ranked = pages
    .map((page) => ({ page, distance: editDistance(wanted, lastPart(page.path)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && wanted.length > 2 && best.distance <= Math.max(2, Math.floor(wanted.length / 4)) ? best.page : null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
