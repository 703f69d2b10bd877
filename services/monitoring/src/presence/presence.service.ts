import { Injectable } from '@nestjs/common';
import { mostPresent, presenceBell, presenceMs, type putPresence } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import type { OrgId, UserId } from '@parley/protocol';
import { lastActionRows, presenceRows, type PresentPerson } from './presence.collection.ts';
import { presenceOf, together } from './presence.ts';

type Told = InputOf<typeof putPresence>['body'];
/** Who is here, split by whether they did something lately, with their sessions. */
export type Here = {
  readonly online: readonly UserId[];
  readonly idle: readonly UserId[];
  sessionsOf(userId: UserId): PresentPerson['sessions'];
};

/** Who is in which organisation now, as the BFFs tell it, and when each member last did something. */
@Injectable()
export class PresenceService {
  private readonly presence: Rows<typeof presenceRows>;
  private readonly lastActions: Rows<typeof lastActionRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {
    this.presence = mongo.rows(presenceRows);
    this.lastActions = mongo.rows(lastActionRows);
  }

  async put({ scope, params, body }: InputOf<typeof putPresence>): Promise<void> {
    for (const { orgId, userId, at } of body.acted) await this.acted(scope.in(orgId), userId, new Date(at));
    for (const told of body.organisations) await this.replace(scope.in(told.orgId), params.bffId, told);
  }

  async here(scope: OrganisationScope): Promise<Here> {
    const now = this.clock.now();
    const people = together(await this.presence.within(scope).find({ until: { $gt: now } }));
    const ids = [...people.keys()].slice(0, mostPresent);
    const actedAt = await this.actedAt(scope, ids);
    const inState = (state: 'online' | 'idle') => ids.filter((id) => presenceOf(true, actedAt.get(id), now) === state);
    return { online: inState('online'), idle: inState('idle'), sessionsOf: (userId) => people.get(userId) ?? [] };
  }

  /** Tabs that are connected now. */
  async sockets(scope: OrganisationScope): Promise<number> {
    const rows = await this.presence.within(scope).find({ until: { $gt: this.clock.now() } }, { fields: ['sockets'] });
    return rows.reduce((sum, { sockets = 0 }) => sum + sockets, 0);
  }

  async actedAt(scope: OrganisationScope, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, Date>> {
    const rows = await this.lastActions.within(scope).find({ _id: { $in: ids.map((id) => rowId(scope.orgId, id)) } });
    return new Map(rows.map(({ userId, at }) => [userId, at]));
  }

  /** Two BFFs may tell of one person in any order: the later action counts. */
  private acted(scope: OrganisationScope, userId: UserId, at: Date): Promise<void> {
    return this.lastActions.within(scope).upsert({ _id: rowId(scope.orgId, userId), userId }, { $max: { at } });
  }

  private async replace(
    scope: OrganisationScope,
    bffId: string,
    { orgId, people, sockets, isChanged }: Told['organisations'][number],
  ): Promise<void> {
    const rows = this.presence.within(scope);
    const _id = `${bffId}/${orgId}`;
    const until = new Date(this.clock.now().getTime() + presenceMs);
    if (people.length === 0) await rows.delete({ _id });
    else await rows.upsert({ _id }, { $set: { people, sockets, until } });
    if (isChanged) this.platform.doorbell.ring(presenceBell(orgId));
  }
}

const rowId = (orgId: OrgId, userId: UserId): string => `${orgId}/${userId}`;
