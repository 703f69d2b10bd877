import { Injectable } from '@nestjs/common';
import {
  findMembers,
  getOrganisationFacts,
  limits,
  nameRevealed,
  type endReveal,
  type listMyReveals,
  type Member,
  type revealName,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ActiveDaysRepository } from './active-days.repository.ts';
import { nameRevealRows, type NameRevealRow } from './name-reveal.collection.ts';
import { PseudonymKeys } from './pseudonym-keys.ts';
import { monthOf, pseudonymOf } from './pseudonym.ts';
import { ShownNames, toShownName } from './shown-names.ts';

const asking = { deadlineMs: 5_000, failMode: 'refuse' } as const;
const hourMs = 3_600_000;

/** Names behind pseudonyms: shown to one person, for a reason and a time, and never without telling whose they are. */
@Injectable()
export class NamesService {
  private readonly reveals: Rows<typeof nameRevealRows>;

  constructor(
    mongo: Mongo,
    private readonly days: ActiveDaysRepository,
    private readonly keys: PseudonymKeys,
    private readonly shown: ShownNames,
    private readonly platform: Platform,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.reveals = mongo.rows(nameRevealRows);
  }

  async reveal({ scope, principal, body }: InputOf<typeof revealName>): Promise<ResponseOf<typeof revealName>> {
    const { id, personId, reason, hours } = body;
    const [member, organisation] = await Promise.all([
      this.find(scope, personId),
      this.platform.peers.call(getOrganisationFacts, { params: { orgId: scope.orgId } }, asking),
    ]);
    const at = this.clock.now();
    return this.work.run(principal, async (tx) => {
      const { row, isNew } = await this.reveals
        .within(scope, tx)
        .insertOnce({
          _id: id,
          orgId: scope.orgId,
          userId: member.userId,
          by: principal.userId,
          byName: principal.name,
          reason,
          at,
          until: new Date(at.getTime() + hours * hourMs),
        });
      if (row.by !== principal.userId || row.userId !== member.userId) throw new Problem('platform.conflict');
      const shown = { _id: id, name: member.name, until: row.until };
      if (!isNew) return toShownName(shown);
      const { orgId, userId, by, until } = row;
      await this.shown.show(scope, tx, { ...shown, orgId, by, pseudonym: personId });
      const told = { orgId, revealId: id, userId, by, reason, until: until.toISOString() };
      tx.record(nameRevealed, { ...told, organisation: organisation.name });
      return toShownName(shown);
    });
  }

  async end({ scope, principal, params }: InputOf<typeof endReveal>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const reveals = this.reveals.within(scope, tx);
      const own = { _id: params.revealId, by: principal.userId };
      if (!(await reveals.exists(own))) throw new Problem('platform.not-found');
      const now = this.clock.now();
      await reveals.update({ ...own, until: { $gt: now } }, { $set: { until: now } });
      await this.shown.hide(scope, tx, params.revealId);
    });
  }

  mine({ scope, principal, query }: InputOf<typeof listMyReveals>): Promise<ResponseOf<typeof listMyReveals>> {
    const where = { userId: principal.userId };
    return this.reveals.within(scope).page(query, { by: { at: -1 }, where, to: toListed });
  }

  /** Nothing says whose a pseudonym is: it is made of each member again until it is that one. */
  private async find(scope: OrganisationScope, personId: string): Promise<Member> {
    const { orgId } = scope;
    const day = await this.days.dayOf(scope, personId);
    if (day === null) throw new Problem('monitoring.person-not-found');
    const key = await this.keys.of(scope);
    const month = monthOf(day);
    for (let cursor: string | undefined | null; cursor !== null;) {
      const body = { limit: limits.pageSize, cursor: cursor ?? undefined };
      const page: ResponseOf<typeof findMembers> = await this.platform.peers.call(
        findMembers,
        { params: { orgId }, body },
        asking,
      );
      const found = page.items.find(({ userId }) => pseudonymOf(key, { orgId, userId, month }) === personId);
      if (found) return found;
      cursor = page.nextCursor;
    }
    throw new Problem('monitoring.person-not-found', { detail: 'Whoever it was is no member any more.' });
  }
}

const toListed = ({ _id, byName, reason, at, until }: NameRevealRow) => ({
  id: _id,
  by: byName,
  reason,
  at: at.toISOString(),
  until: until.toISOString(),
});
