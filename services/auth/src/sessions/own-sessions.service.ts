import { Injectable } from '@nestjs/common';
import { limits, type endOtherSession, type endOtherSessions, type listSessions } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type RowOf, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { endedSessionRows, sessionRows } from './session.collection.ts';
import { expiredAt, fromOf, isAlive, keptMs, lastUsedAt } from './session.ts';
import { SessionsService } from './sessions.service.ts';

/** What one sees and ends of one's own sessions. */
@Injectable()
export class OwnSessionsService {
  private readonly sessions: Rows<typeof sessionRows>;
  private readonly ended: Rows<typeof endedSessionRows>;

  constructor(
    mongo: Mongo,
    private readonly all: SessionsService,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.sessions = mongo.rows(sessionRows);
    this.ended = mongo.rows(endedSessionRows);
  }

  async list({ scope, principal }: InputOf<typeof listSessions>): Promise<ResponseOf<typeof listSessions>> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - keptMs);
    const [rows, endedRows] = await Promise.all([
      this.sessions.within(scope).find({}, { sort: { createdAt: -1 }, limit: 2 * limits.pageSize }),
      this.ended.within(scope).find({ endedAt: { $gt: since } }, { sort: { endedAt: -1 }, limit: limits.pageSize }),
    ]);
    const alive = rows.filter((row) => isAlive(row, now));
    const expired = rows.filter((row) => !isAlive(row, now) && expiredAt(row) > since);
    const items = alive.map((row) => ({ ...shown(row, lastUsedAt(row)), isThis: row._id === principal.sessionKey }));
    const ended = [
      ...endedRows.map((row) => ({ ...shown(row, row.lastUsedAt), at: row.endedAt, how: row.reason })),
      ...expired.map((row) => ({ ...shown(row, lastUsedAt(row)), at: expiredAt(row), how: 'expired' as const })),
    ].toSorted((one, other) => other.at.getTime() - one.at.getTime());
    return {
      items: items
        .toSorted(
          (one, other) => Number(other.isThis) - Number(one.isThis) || other.lastUsedAt.localeCompare(one.lastUsedAt),
        )
        .slice(0, limits.pageSize),
      ended: ended.slice(0, limits.pageSize).map(({ at, ...row }) => ({ ...row, endedAt: at.toISOString() })),
    };
  }

  async endOne({ scope, principal, params }: InputOf<typeof endOtherSession>): Promise<void> {
    const { sessionId } = params;
    if (sessionId === principal.sessionKey) throw new Problem('platform.not-found');
    await this.work.run(principal, async (tx) => {
      if (await this.all.endOne(tx, scope, { sessionKey: sessionId, reason: 'ended-by-you' })) return;
      if (!(await this.ended.within(scope, tx).exists({ _id: sessionId }))) throw new Problem('platform.not-found');
    });
  }

  async endOthers({
    scope,
    principal,
  }: InputOf<typeof endOtherSessions>): Promise<ResponseOf<typeof endOtherSessions>> {
    const endedSessions = await this.work.run(principal, (tx) =>
      this.all.endAll(tx, scope, { keep: principal.sessionKey, reason: 'ended-by-you' }),
    );
    return { endedSessions };
  }
}

type Known = Pick<RowOf<typeof sessionRows>, '_id' | 'createdAt' | 'userAgent' | 'network'>;

const shown = ({ _id, createdAt, ...row }: Known, usedAt: Date) => ({
  id: _id,
  ...fromOf(row),
  createdAt: createdAt.toISOString(),
  lastUsedAt: usedAt.toISOString(),
});
