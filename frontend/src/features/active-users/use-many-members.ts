import type { AccessEndId, ActiveUser, ManyOutcome, RoleKey } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import type { PeopleAct } from './people-act.ts';

type Asked = {
  readonly orgId: OrgId;
  readonly act: PeopleAct;
  readonly role: RoleKey;
  readonly id: AccessEndId;
  /** None: it is only tried. */
  readonly reason?: string;
};
/** Why somebody stays as they are; null where they do not. */
export type Outcomes = ReadonlyMap<string, ManyOutcome['code']>;

const fresh = ['active-users', 'members', 'roles', 'audit'] as const;

/** What would come of an act on each of its people, and the act itself on those whom nothing keeps from it. */
export function useManyMembers(act: PeopleAct, role: RoleKey) {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const [id] = useState(() => newId('accessEnd'));
  const preview = useQuery({
    queryKey: resourceKey('members', orgId, 'preview', act.kind, role, ...act.people.map(({ userId }) => userId)),
    queryFn: () => send({ orgId, act, role, id }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const isSame = (person: ActiveUser) => act.kind === 'role' && person.role === role;
  const able = act.people.filter((person) => preview.data?.get(person.userId) === null && !isSame(person));
  const change = useMutation({
    mutationFn: (reason: string) => send({ orgId, act: { ...act, people: able }, role, id, reason }),
    // Whatever came of it: some may be changed.
    onSettled: () =>
      fresh.forEach((resource) => void client.invalidateQueries({ queryKey: resourceKey(resource, orgId) })),
  });
  return { preview, able, change };
}

/** Repeating it changes nothing: a failure that passes is tried again. */
async function send({ orgId, act, role, id, reason }: Asked): Promise<Outcomes> {
  const people = act.people.map(({ userId, version }) => ({ userId, version }));
  const body = { people, reason, isPreview: reason === undefined };
  const call = { orgId, retries: 2 };
  const { results } =
    act.kind === 'role'
      ? await api('PUT /api/org/member-roles', { ...call, body: { ...body, role } })
      : act.kind === 'end'
        ? await api('POST /api/org/access-ends', { ...call, body: { ...body, id } })
        : await api('PUT /api/org/member-statuses', {
            ...call,
            body: { ...body, status: act.kind === 'suspend' ? 'suspended' : 'active' },
          });
  return new Map(results.map(({ userId, code }) => [userId, code]));
}
