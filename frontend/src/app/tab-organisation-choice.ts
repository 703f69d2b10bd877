import type { Me, Organisation } from '@parley/contracts';
import { pageAt } from '@parley/contracts/pages';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { readStored, writeStored } from '../lib/stored.ts';
import type { TabOrganisation } from '../lib/tab-organisation.tsx';
import { belowLocale, pathsOf, useLocale } from '../lib/paths.ts';

const storageKey = 'parley.tab-organisation';

/** Address first, then this tab's last one, then the person's default, then the first. */
export function chooseOrganisation(
  organisations: readonly Organisation[],
  { slug, stored, defaultOrgId }: Record<'slug' | 'stored' | 'defaultOrgId', string | null>,
): Organisation | undefined {
  return (
    organisations.find((organisation) => organisation.slug === slug) ??
    organisations.find((organisation) => organisation.id === stored) ??
    organisations.find((organisation) => organisation.id === defaultOrgId) ??
    organisations[0]
  );
}

/** The one that the address names, where this tab has shown it as mine and it is mine no more. */
export function useFormerOrganisation(organisations: readonly Organisation[] | undefined): Organisation | null {
  const [search] = useSearchParams();
  const slug = search.get('org');
  const mine = organisations?.find((organisation) => organisation.slug === slug);
  const [last, setLast] = useState(mine);
  if (mine && mine !== last) setLast(mine);
  if (last?.slug !== slug || organisations?.some(({ id }) => id === last?.id)) return null;
  return last ?? null;
}

/** Needs at least one organisation. Keeps `?org=` in the address, so links and reloads stay in the same one. */
export function useTabOrganisation({
  me,
  organisations,
}: {
  me: Me;
  organisations: readonly Organisation[];
}): TabOrganisation & { unknownSlug: string | null } {
  const [search] = useSearchParams();
  const slug = search.get('org');
  const organisation = chooseOrganisation(organisations, {
    slug,
    stored: readStored<string>('session', storageKey),
    defaultOrgId: me.defaultOrgId,
  }) as Organisation;
  const isUnknown = slug !== null && slug !== organisation.slug;
  const navigate = useNavigate();
  const locale = useLocale();
  const { pathname, hash } = useLocation();
  useEffect(() => {
    if (!isUnknown) writeStored('session', storageKey, organisation.id);
    // The hash names a message: it stays.
    if (slug === null)
      void navigate(
        { search: `?${new URLSearchParams([...search, ['org', organisation.slug]])}`, hash },
        { replace: true },
      );
  }, [slug, isUnknown, organisation.id, organisation.slug, navigate, search, hash]);
  const switchTo = useCallback(
    (next: Organisation) => {
      const paths = pathsOf(locale, next.slug);
      const page = pageAt(belowLocale(pathname));
      // A chat belongs to its organisation; any other page is there in the next one too.
      const path = !page || page.area === 'visitor' || page.area === 'chat' ? 'chat' : page.path;
      void navigate(paths.to(path, { orgId: next.id }));
    },
    [locale, pathname, navigate],
  );
  return useMemo(
    () => ({ me, organisation, organisations, switchTo, unknownSlug: isUnknown ? slug : null }),
    [me, organisation, organisations, switchTo, isUnknown, slug],
  );
}
