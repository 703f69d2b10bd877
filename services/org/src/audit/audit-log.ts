import { Injectable } from '@nestjs/common';
import {
  accessDenied,
  isByPlatform,
  isPersonal,
  type AuditEntry,
  type listAudit,
  type noteDenials,
} from '@parley/contracts';
import { lowestIdAt } from '@parley/platform/ids';
import { Mongo, type Filter, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { wordFilter } from '@parley/platform/text';
import { Work } from '@parley/platform/work';
import type { ResponseOf } from '@parley/protocol';
import { AuditNames, type Named } from './audit-names.ts';
import { auditRows, type AuditRow, type NewAuditRow } from './audit.collection.ts';
import { readEarlier } from './earlier-entries.ts';

/** What was done in an organisation. */
@Injectable()
export class AuditLog {
  private readonly entries: Rows<typeof auditRows>;

  constructor(
    mongo: Mongo,
    private readonly names: AuditNames,
    private readonly work: Work,
  ) {
    this.entries = mongo.rows(auditRows);
  }

  /** Publishes what was refused. Idempotent: known entries stay as they are. */
  async noteDenials({ scope, principal, body }: InputOf<typeof noteDenials>): Promise<void> {
    for (const [orgId, items] of Map.groupBy(body.items, (item) => item.orgId))
      await this.work.run(principal, async (tx) => {
        const entries = this.entries.within(scope.in(orgId), tx);
        const known = await entries.find({ _id: { $in: items.map(({ id }) => id) } }, { fields: ['_id'] });
        const fresh = items.filter(({ id }) => !known.some(({ _id }) => _id === id));
        for (const { id: denialId, ...denial } of fresh) tx.record(accessDenied, { denialId, ...denial });
      });
  }

  /** Lists entries; personal acts exist only for readers with `member:read_pii`. */
  async list({ scope, principal, query }: InputOf<typeof listAudit>): Promise<ResponseOf<typeof listAudit>> {
    const { actor, act, target, text, from, until, ...page } = query;
    const seesPersonal = principal.organisation?.permissions.includes('member:read_pii') ?? false;
    if (act && isPersonal(act) && !seesPersonal) return { items: [], nextCursor: null };
    const found = text === undefined ? {} : wordFilter('words', text);
    if (!found) return { items: [], nextCursor: null };
    const where = {
      ...found,
      ...(actor && { actorId: actor }),
      ...(act && { act }),
      ...(target && { target }),
      ...spanOf({ from, until }),
      ...(!act && !seesPersonal && { isPersonal: null }),
    };
    const { items, nextCursor } = await this.entries
      .within(scope)
      .page(page, { by: { _id: -1 }, where, to: (row) => row });
    const earlier = items.filter(({ changes }) => !changes);
    const read = await this.names.fill(scope, earlier.map(readEarlier));
    const ofEarlier = new Map(earlier.map(({ _id }, at) => [_id, read[at]!]));
    return { items: items.map((row) => toEntry(row, ofEarlier.get(row._id) ?? written(row))), nextCursor };
  }
}

/** Entries of 0.3.0 have ids of when they were appended, which was rarely a day after the act. */
const latestAppendedMs = 24 * 60 * 60_000;

/** The ids narrow the index, the time of the act decides. */
function spanOf({ from, until }: Pick<InputOf<typeof listAudit>['query'], 'from' | 'until'>): Filter<NewAuditRow> {
  if (from === undefined && until === undefined) return {};
  const [first, after] = [from && new Date(from), until && new Date(until)];
  const last = after && new Date(after.getTime() + latestAppendedMs);
  return {
    _id: {
      ...(first && { $gte: lowestIdAt('auditEntry', first) }),
      ...(last && { $lt: lowestIdAt('auditEntry', last) }),
    },
    at: { ...(first && { $gte: first }), ...(after && { $lt: after }) },
  };
}

const written = ({ of, target: id, targetName, changes }: AuditRow): Named => ({
  target: { of: of!, id, name: targetName || null },
  changes: changes!,
});

function toEntry(row: AuditRow, { target: { of, id, name }, changes }: Named): AuditEntry {
  const { _id, at, actorId, actorName, act, reason, count = 1 } = row;
  return {
    id: _id,
    at: at.toISOString(),
    actor: { userId: actorId, name: actorName, isPlatformAdmin: isByPlatform(act) },
    act,
    target: { of, id, name },
    changes: [...changes],
    reason,
    count,
  };
}
