import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import type { OrgId } from '@parley/protocol';
import { resources, type Resource } from '@parley/contracts/names';
import { useMemo } from 'react';
import { api, type Answer, type Call, type JsonRoute } from './http.ts';
import { pollEvery } from './poll.ts';
import { resourceKey } from './query-keys.ts';
import { useTab } from './tab-organisation.tsx';
import { useUrlFilters, type FilterChoices, type FilterValues } from './url-filters.ts';

type Page = { readonly items: readonly unknown[]; readonly nextCursor: string | null };
type LastSegment<Path extends string> = Path extends `${string}/${infer Rest}` ? LastSegment<Rest> : Path;
/** The routes that list a resource of the live table, page by page. */
export type ListRoute = {
  [Route in JsonRoute]: Route extends `GET ${string}`
    ? LastSegment<Route> extends Resource
      ? Answer<Route> extends Page
        ? Route
        : never
      : never
    : never;
}[JsonRoute];
type ItemOf<Route extends ListRoute> = Answer<Route> extends { items: (infer Item)[] } ? Item : never;
export type Pages<Route extends ListRoute> = InfiniteData<Answer<Route>, string | null>;

type Query<Route extends ListRoute> = NonNullable<Call<Route>['query']>;
/** What a list can be filtered by: a text, or one of the values that are offered. */
type FiltersOf<Route extends ListRoute> = {
  readonly [Name in Exclude<keyof Query<Route>, 'limit' | 'cursor'>]?: 'text' | readonly Query<Route>[Name][];
};
type ListOptions<Filters, Item> = {
  readonly filters?: Filters;
  /** What the list is narrowed to whatever the filters say, such as what belongs to one thing. */
  readonly within?: FilterValues;
  /** For lists that are kept true by messages of their own. */
  readonly staleTime?: number;
  /** For what no event makes old: how often the list is read again while somebody looks; null: not now. */
  readonly refetchMs?: number | ((items: readonly Item[]) => number | null);
};

export const listQuery = <Route extends ListRoute>(
  route: Route,
  orgId: OrgId,
  { filters, staleTime }: { filters?: FilterValues; staleTime?: number | undefined } = {},
) => {
  const resource = route.slice(route.lastIndexOf('/') + 1) as Resource;
  const owner = resources[resource] === 'organisation' ? orgId : null;
  const given = filters && Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
  return infiniteQueryOptions<Answer<Route>, Error, Pages<Route>, QueryKey, string | null>({
    queryKey: resourceKey(resource, owner as never, 'list', given ?? {}),
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? given : { ...given, cursor: pageParam };
      const call = { ...(owner && { orgId: owner }), ...(query && { query }), signal };
      return (api as (route: string, call: unknown) => Promise<Answer<Route>>)(route, call);
    },
    initialPageParam: null,
    getNextPageParam: (page) => (page as Page).nextCursor,
    placeholderData: keepPreviousData,
    ...(staleTime === undefined ? {} : { staleTime }),
  });
};

const itemsOf = <Route extends ListRoute>(data: Pages<Route> | undefined): ItemOf<Route>[] =>
  data?.pages.flatMap((page) => (page as { items: ItemOf<Route>[] }).items) ?? [];

type Paged = Pick<
  UseInfiniteQueryResult<unknown>,
  'data' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;

/** Returns what `ListView` and `ListEdge` need to know of a list that comes page after page. */
export const pagingOf = (query: Paged) => ({
  /** Only while there is nothing to show. */
  error: query.data ? null : query.error,
  retry: () => void query.refetch(),
  edge: {
    onMore: query.hasNextPage ? () => void query.fetchNextPage() : null,
    isLoading: query.isFetchingNextPage,
    hasFailed: query.isFetchNextPageError,
  },
});

/**
 * A list of the server: page after page by its cursor, filtered by what stands in the address, so that a view can be
 * sent, and read again when its resource changes. Show it with `ListView`.
 */
export function useList<Route extends ListRoute, const Filters extends FiltersOf<Route> & FilterChoices>(
  route: Route,
  { filters: choices, within, staleTime, refetchMs }: ListOptions<Filters, ItemOf<Route>> = {},
) {
  const orgId = useTab().organisation.id;
  const [filters, setFilters] = useUrlFilters(choices ?? ({} as Filters));
  const query = useInfiniteQuery({
    ...listQuery(route, orgId, { filters: { ...(filters as FilterValues), ...within }, staleTime }),
    refetchInterval: (asked) => {
      const everyMs = typeof refetchMs === 'function' ? refetchMs(itemsOf<Route>(asked.state.data)) : refetchMs;
      return everyMs ? pollEvery(everyMs)(asked) : false;
    },
  });
  const { data, error } = query;
  const items = useMemo(() => data && itemsOf<Route>(data), [data]);
  return {
    ...pagingOf(query),
    /** Undefined until the first page is there. */
    items,
    /** What comes with the first page beside the items, such as counts. */
    first: data?.pages[0],
    /** Since when it could not be read again, in ms; null while what is shown is what the server last said. */
    oldSince: data && error ? query.dataUpdatedAt : null,
    filters,
    setFilters,
    isFiltered: Object.values(filters).some((value) => value !== null),
    isComplete: !query.hasNextPage,
  };
}
