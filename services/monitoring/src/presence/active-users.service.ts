import { Injectable } from '@nestjs/common';
import {
  findMembers,
  presence,
  type ActiveUser,
  type listActiveUsers,
  type Member,
  type Presence,
} from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { Problem, type ResponseOf, type UserId } from '@parley/protocol';
import { RunningAnswers } from '../running-answers/index.ts';
import { PresenceService, type Here } from './presence.service.ts';

type Query = InputOf<typeof listActiveUsers>['query'];
type Place = { readonly state: Presence; readonly cursor: string | undefined };
type Found = { readonly members: readonly Member[]; readonly next: Place | null };

const states = presence.options;
const askingOrg = { deadlineMs: 5_000, failMode: 'refuse' } as const;

/** Members, whom org knows, with what they do now. The list is those of three states, one after the other. */
@Injectable()
export class ActiveUsersService {
  constructor(
    private readonly presence: PresenceService,
    private readonly running: RunningAnswers,
    private readonly platform: Platform,
  ) {}

  async list({ scope, query }: InputOf<typeof listActiveUsers>): Promise<ResponseOf<typeof listActiveUsers>> {
    const [here, answers] = await Promise.all([this.presence.here(scope), this.running.count(scope)]);
    const items: ActiveUser[] = [];
    let place: Place | null = query.cursor === undefined ? startOf(query) : readPlace(query.cursor, query);
    while (place && items.length < query.limit) {
      const { state }: Place = place;
      const found = await this.find(scope, { query: { ...query, limit: query.limit - items.length }, here, place });
      const actedAt = await this.presence.actedAt(scope, idsOf(found.members));
      for (const member of found.members)
        items.push({
          ...personOf(member),
          presence: state,
          actedAt: actedAt.get(member.userId)?.toISOString() ?? null,
          devices: here.sessionsOf(member.userId).map(({ browser, system }) => ({ browser, system })),
          answers: answers.get(member.userId) ?? 0,
        });
      place = found.next;
    }
    return { items, nextCursor: place && writePlace(place), counts: countsOf(here, answers) };
  }

  private async find(
    scope: OrganisationScope,
    { query, here, place }: { readonly query: Query; readonly here: Here; readonly place: Place },
  ): Promise<Found> {
    const { state, cursor } = place;
    const { text, role, groupId, limit } = query;
    const whom = state === 'away' ? { except: [...here.online, ...here.idle] } : { among: [...here[state]] };
    const after = query.presence ? undefined : states[states.indexOf(state) + 1];
    const next = after ? { state: after, cursor: undefined } : null;
    if (whom.among?.length === 0) return { members: [], next };
    const body = { ...whom, limit, cursor, text, role, groupId };
    const { orgId } = scope;
    const page = await this.platform.peers.call(findMembers, { params: { orgId }, body }, askingOrg);
    return { members: page.items, next: page.nextCursor === null ? next : { state, cursor: page.nextCursor } };
  }
}

const personOf = ({ source: _source, joinedAt: _joinedAt, ...person }: Member) => person;
const idsOf = (members: readonly Member[]): UserId[] => members.map(({ userId }) => userId);

function countsOf({ online, idle }: Here, answers: ReadonlyMap<UserId, number>) {
  const sum = [...answers.values()].reduce((all, count) => all + count, 0);
  return { online: online.length, idle: idle.length, answers: sum, askers: answers.size };
}

const startOf = (query: Query): Place => ({ state: query.presence ?? 'online', cursor: undefined });
/** `idle.` is the start of those who are idle, `idle.eyJ…` a place among them as org names it. */
const writePlace = ({ state, cursor = '' }: Place): string => `${state}.${cursor}`;

function readPlace(given: string, query: Query): Place {
  const at = given.indexOf('.');
  const state = states.find((one) => one === given.slice(0, at));
  if (!state || (query.presence && query.presence !== state))
    throw new Problem('platform.invalid-request', {
      errors: [{ path: 'query.cursor', message: 'not a cursor of this list' }],
    });
  return { state, cursor: given.slice(at + 1) || undefined };
}
