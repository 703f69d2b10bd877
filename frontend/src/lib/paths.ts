import type { ConversationId, Document, Locale, ProjectId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import type { Page } from '@parley/contracts/pages';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { isLocale, preferredLocale } from './locale.ts';

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
/** The ids that a path of the page table names, exactly where it names some. */
type Ids<Path extends string> = [Names<Path>] extends [never] ? [] : [ids: Readonly<Record<Names<Path>, string>>];

/** Every address of the product; organisation links carry `?org=<slug>`, for the organisation belongs to the tab. */
export function pathsOf(locale: Locale, slug: string | null) {
  const to = <Path extends Page['path']>(path: Path, ...[ids]: Ids<Path>): string => {
    const filled = path.replace(/:(\w+)/g, (_, name: string) => (ids as Record<string, string>)[name] ?? '');
    return `/${locale}/${filled}${slug ? `?org=${slug}` : ''}`;
  };
  const within = (path: string, query: Readonly<Record<string, string>>): string =>
    `${path}${slug ? '&' : '?'}${new URLSearchParams(query).toString()}`;
  const platform = to('settings/org_admin');
  const ofOrganisation = (orgId: OrgId, query: Readonly<Record<string, string>>): string =>
    within(to('settings/org_admin/:orgId', { orgId }), query);
  return {
    /** Adds a query to the address of a page, such as its tab. */
    within,
    /** A page of the table, such as `to('chat/:id', { id })`. */
    to,
    root: `/${locale}`,
    register: `/${locale}/register`,
    /** Where an organisation's model servers are connected. */
    models: (orgId: OrgId) => ofOrganisation(orgId, { tab: 'models' }),
    /** Where people are invited, the dialog open. */
    invite: (orgId: OrgId) => ofOrganisation(orgId, { tab: 'members', invite: 'people' }),
    /** What models cost, set by platform admins. */
    prices: within(platform, { tab: 'prices' }),
    /** How mail is sent, and the mails of the last days, for platform admins. */
    mail: within(platform, { tab: 'mail' }),
    /** A group of collected errors, one of tests too. */
    errorGroup: (error: string) => within(platform, { tab: 'errors', tests: 'shown', resolved: 'shown', error }),
    archivedChats: within(to('settings'), { tab: 'archived' }),
    /** Own chats that can still be restored. */
    deletedChats: within(to('settings'), { tab: 'deleted' }),
    /** A document beside the list of its connection. */
    document: ({ connectionId, id }: Pick<Document, 'connectionId' | 'id'>) =>
      within(to('settings/data-connections'), { connection: connectionId, document: id }),
    /** A member in the list of members. */
    member: (orgId: OrgId, name: string) => ofOrganisation(orgId, { tab: 'members', text: name }),
    project: (id: ProjectId) => within(to('chat'), { project: id }),
    message: (id: ConversationId, messageId: string) => `${to('chat/:id', { id })}#${messageId}`,
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

/** `settings/orgs` of `/en/settings/orgs`, as the page table names it. */
export const belowLocale = (pathname: string): string => pathname.replace(/^\/[^/]*\/?/, '');
