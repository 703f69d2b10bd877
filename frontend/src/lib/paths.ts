import type { ConversationId, Locale, OrgId } from '@parley/contracts';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { isLocale, preferredLocale } from './locale.ts';

/** Every address of the product; organisation links carry `?org=<slug>`, for the organisation belongs to the tab. */
export function pathsOf(locale: Locale, slug: string | null) {
  const inOrganisation = (path: string) => `/${locale}/${path}${slug ? `?org=${slug}` : ''}`;
  return {
    root: `/${locale}`,
    register: `/${locale}/register`,
    newChat: inOrganisation('chat'),
    chat: (id: ConversationId) => inOrganisation(`chat/${id}`),
    message: (id: ConversationId, messageId: string) => `${inOrganisation(`chat/${id}`)}#${messageId}`,
    organisations: inOrganisation('settings/orgs'),
    organisation: (orgId: OrgId) => inOrganisation(`settings/org_admin/${orgId}`),
    dataConnections: inOrganisation('settings/data-connections'),
  };
}

export type Paths = ReturnType<typeof pathsOf>;

export function useLocale(): Locale {
  const first = useParams()['locale'];
  return isLocale(first) ? first : preferredLocale();
}

export function usePaths(): Paths {
  const locale = useLocale();
  const [search] = useSearchParams();
  const slug = search.get('org');
  return useMemo(() => pathsOf(locale, slug), [locale, slug]);
}
