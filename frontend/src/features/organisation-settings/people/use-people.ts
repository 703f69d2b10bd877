import type { Member } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { listQuery, useList } from '../../../lib/use-list.ts';
import { fits, rowsOf } from './people-rows.ts';
import { useGroups, useRoles, useSeats } from '../../../domain/role/use-roles.ts';

const statuses = ['active', 'suspended'] as const;
const exclusive = ['role', 'groupId', 'status'] as const;
/** So long somebody who joined is shown where the invitation stood. */
const arrivalMs = 1000;
/** Whoever joined longer ago is no news. */
const newsMs = 60_000;

/** Invitations and members as one list of rows for `ListView`, filtered by what stands in the address. */
export function usePeople() {
  const { organisation } = useTab();
  const { number } = useFormats();
  const members = useList('GET /api/org/members', { filters: useFilters() });
  const mayInvite = useRight('member:invite');
  const invited = useInfiniteQuery({ ...listQuery('GET /api/org/invitations', organisation.id), enabled: mayInvite });
  const seats = useSeats();
  const { items, filters, isFiltered, isComplete } = members;
  const arrived = useArrived(items, JSON.stringify(filters));
  const hasMoreInvitations = invited.hasNextPage;
  const invitations = useMemo(() => {
    const all = invited.data?.pages.flatMap((page) => page.items) ?? [];
    const { text, role, groupId, status } = filters;
    const asked = { text, role, groupId, status: status as Member['status'] | null };
    return all.filter((invitation) => fits(invitation, asked));
  }, [invited.data, filters]);
  const rows = useMemo(
    () =>
      items &&
      rowsOf(
        {
          invitations,
          hasMoreInvitations: hasMoreInvitations && filters.status === null,
          members: items,
          hasMoreMembers: !isComplete,
          arrived,
          memberCount: isFiltered || !seats ? null : seats.used - arrived.size,
        },
        number,
      ),
    [items, invitations, hasMoreInvitations, filters.status, isComplete, arrived, isFiltered, seats, number],
  );
  return {
    list: { ...members, items: rows },
    seats,
    /** Nobody else is here, and nobody is invited. */
    isAlone: !isFiltered && items?.length === 1 && invitations.length === 0 && !invited.isPending,
    invitations: {
      error: invited.data ? null : invited.error,
      retry: () => void invited.refetch(),
      more: () => void invited.fetchNextPage(),
      isLoadingMore: invited.isFetchingNextPage,
    },
  };
}

/** One of role, group and state at a time: the first that the address names counts. Unknown ones count as not set. */
function useFilters() {
  const { roles, isLoaded: hasRoles } = useRoles();
  const { groups, isLoaded: hasGroups } = useGroups();
  const [search] = useSearchParams();
  const first = exclusive.find((name) => search.get(name));
  const offered = <Value>(name: (typeof exclusive)[number], values: readonly Value[] | 'text') =>
    first === name ? values : [];
  return {
    text: 'text',
    role: offered('role', hasRoles ? roles.map(({ id }) => id) : 'text'),
    groupId: offered('groupId', hasGroups ? groups.map(({ id }) => id) : 'text'),
    status: offered('status', statuses),
  } as const;
}

/** Who was not among the members a moment ago, in the same view; for a moment. */
function useArrived(members: readonly Member[] | undefined, view: string): ReadonlySet<UserId> {
  const [arrived, setArrived] = useState<ReadonlySet<UserId>>(new Set());
  const before = useRef<{ view: string; ids: Set<UserId> } | null>(null);
  useLayoutEffect(() => {
    if (!members) return;
    const known = before.current?.view === view ? before.current.ids : null;
    before.current = { view, ids: new Set([...(known ?? []), ...members.map(({ userId }) => userId)]) };
    // Those of a further page are not known either, and no news.
    const isNews = ({ joinedAt }: Member) => Date.now() - Date.parse(joinedAt) < newsMs;
    const ids = members.filter((one) => known?.has(one.userId) === false && isNews(one)).map(({ userId }) => userId);
    if (ids.length === 0) return;
    setArrived((now) => new Set([...now, ...ids]));
    setTimeout(() => setArrived((now) => new Set([...now].filter((id) => !ids.includes(id)))), arrivalMs);
  }, [members, view]);
  return arrived;
}
