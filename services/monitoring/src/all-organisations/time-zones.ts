import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import type { OrgId } from '@parley/protocol';
import { overviewRows } from './overview.collection.ts';

const looking = jobScope('days begin in the time zone of each organisation');
const keptMs = 60_000;
const mostKept = 10_000;

/** In which zone the days of an organisation begin; looked up once a minute. */
@Injectable()
export class TimeZones {
  private readonly rows: Rows<typeof overviewRows>;
  private readonly kept = new Map<OrgId, { readonly timeZone: string; readonly until: number }>();

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.rows = mongo.rows(overviewRows);
  }

  /** UTC while there is no copy of the organisation yet. */
  async of(orgId: OrgId): Promise<string> {
    const now = this.clock.now().getTime();
    const kept = this.kept.get(orgId);
    if (kept && kept.until > now) return kept.timeZone;
    const row = await this.rows.within(looking.in(orgId)).findById(orgId);
    const timeZone = (row?.timeZone as string | undefined) ?? 'UTC';
    if (this.kept.size >= mostKept) this.kept.clear();
    if (row) this.kept.set(orgId, { timeZone, until: now + keptMs });
    return timeZone;
  }
}
