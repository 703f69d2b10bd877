import { Injectable } from '@nestjs/common';
import { auditedDefinitions, isPersonal, limits, type AuditedAct } from '@parley/contracts';
import { derivedIdAt, lowestIdAt } from '@parley/platform/ids';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import type { EventEnvelope, OrgId, UserId } from '@parley/protocol';
import { membershipRows } from '../rights/index.ts';
import { AuditNames } from './audit-names.ts';
import { auditWordsOf } from './audit-words.ts';
import { auditRows, type AuditRow, type NewAuditRow } from './audit.collection.ts';

const appending = jobScope('appends to the audit log what events declare');
const definitions = new Map(auditedDefinitions.map((definition) => [definition.type, definition]));

/** For ten minutes after its first act, an entry counts more of them. */
const tallyMs = 10 * 60_000;

type Draft = { readonly event: EventEnvelope; readonly acted: AuditedAct; readonly orgId: OrgId };

/**
 * Appends what events declare (`audit` in their definition). Org's own events are appended in the transaction of the act,
 * those of other services by the consumer. The id of an entry follows from its event: it is written once.
 */
@Injectable()
export class AuditAppender {
  private readonly entries: Rows<typeof auditRows>;
  private readonly memberships: Rows<typeof membershipRows>;

  constructor(
    mongo: Mongo,
    private readonly names: AuditNames,
    work: Work,
  ) {
    this.entries = mongo.rows(auditRows);
    this.memberships = mongo.rows(membershipRows);
    work.accompany((events, tx, actorName) => this.append(events, tx, actorName));
  }

  /**
   * Idempotent: an entry that is there stays as it is. Snapshots are skipped, since nothing happens now. `actorName`: what
   * the events' actor is called, where that is known.
   */
  async append(events: readonly EventEnvelope[], tx: Transaction, actorName: string | null = null): Promise<void> {
    const drafts: Draft[] = [];
    for (const event of events) {
      const audit = event.snapshot ? undefined : definitions.get(event.type)?.audit;
      const acted = typeof audit === 'function' ? audit(event.data) : null;
      if (!acted) continue;
      for (const orgId of await this.organisationsOf(event, acted, tx)) drafts.push({ event, acted, orgId });
    }
    for (const [orgId, own] of Map.groupBy(drafts, (draft) => draft.orgId))
      await this.appendIn(orgId, own, { tx, actorName });
  }

  private async appendIn(
    orgId: OrgId,
    drafts: readonly Draft[],
    { tx, actorName }: { readonly tx: Transaction; readonly actorName: string | null },
  ): Promise<void> {
    const scope = appending.in(orgId);
    const entries = this.entries.within(scope, tx);
    const acts = drafts.map(({ acted: { target, changes = [] } }) => ({ target, changes }));
    const named = await this.names.fill(scope, acts, { tx, isNow: true });
    const rows: NewAuditRow[] = [];
    for (const [at, draft] of drafts.entries()) {
      const { target, changes } = named[at]!;
      const { event, acted } = draft;
      const by = actorOf(draft);
      if (acted.tally && (await this.countOn(scope, tx, draft))) continue;
      const isActor = event.actor === `person:${by}`;
      const known = acted.entry?.byName ?? (isActor ? actorName : null) ?? (target.id === by ? target.name : null);
      const byName = known ?? (await this.names.ofPerson(scope, by, tx)) ?? '';
      const targetName = target.name ?? '';
      rows.push({
        _id: acted.entry?.id ?? idOf(draft),
        orgId,
        at: new Date(acted.entry?.at ?? event.time),
        actorId: by,
        actorName: byName,
        act: acted.act,
        target: target.id,
        targetName,
        of: target.of,
        changes: [...changes],
        before: null,
        after: null,
        reason: acted.reason ?? null,
        ...(isPersonal(acted.act) && { isPersonal: true as const }),
        ...(acted.entry && { count: acted.entry.count }),
        ...(acted.tally && { count: acted.tally }),
        words: auditWordsOf({ actorName: byName, targetName }),
      });
    }
    const there = await entries.find({ _id: { $in: rows.map(({ _id }) => _id) } }, { fields: ['_id'] });
    await entries.insertMany(rows.filter(({ _id }) => !there.some((row) => row._id === _id)));
  }

  /**
   * Counts an act in the entry of the same person, act and target that began less than ten minutes before, if there is
   * one. Not idempotent by itself: the inbox of the consumer knows an event that comes again.
   */
  private async countOn(scope: OrganisationScope, tx: Transaction, draft: Draft): Promise<boolean> {
    const { event, acted } = draft;
    const entries = this.entries.within(scope, tx);
    const began = lowestIdAt('auditEntry', new Date(Date.parse(event.time) - tallyMs));
    const same = { actorId: actorOf(draft), act: acted.act, target: acted.target.id };
    const [last] = await entries.find({ ...same, _id: { $gte: began } }, { sort: { _id: -1 }, limit: 1 });
    if (!last || last._id === idOf(draft)) return false;
    return entries.update({ _id: last._id }, { $inc: { count: acted.tally ?? 0 } });
  }

  /** In all of a person's organisations: page by page, where the person was an active member by then. */
  private async organisationsOf(event: EventEnvelope, acted: AuditedAct, tx: Transaction): Promise<OrgId[]> {
    if (!acted.in) return event.tenantid === null ? [] : [event.tenantid];
    if ('orgId' in acted.in) return [acted.in.orgId];
    const mine = this.memberships.within(appending.of(acted.in.memberOf), tx);
    const found: OrgId[] = [];
    for (let after = '', isMore = true; isMore;) {
      const some = await mine.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: limits.pageSize });
      for (const { orgId, status, joinedAt } of some)
        if (status === 'active' && joinedAt <= new Date(event.time)) found.push(orgId);
      after = some.at(-1)?._id ?? after;
      isMore = some.length === limits.pageSize;
    }
    return found;
  }
}

function actorOf({ event, acted }: Draft): UserId {
  const person = [event.actor, event.onbehalfof].find((name) => name?.startsWith('person:'));
  const by = acted.by ?? person?.slice('person:'.length);
  if (!by) throw new Error(`${event.type} declares an act of nobody: ${event.id}.`);
  return by as UserId;
}

/** Ordered by the time of the act, and within an aggregate by its sequence. */
const idOf = ({ event, acted, orgId }: Draft): AuditRow['_id'] =>
  derivedIdAt('auditEntry', [event.id, acted.act, orgId], { at: new Date(event.time), order: event.sequence });
