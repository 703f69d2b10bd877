import { Injectable } from '@nestjs/common';
import {
  mostErrorGroups,
  mostErrorSamples,
  type ErrorDrop,
  type ErrorReport,
  type takeErrorReports,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { PlatformScope, Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { groupIdOf, withReport } from './error-group.ts';
import type { ErrorGroupRow } from './error.collection.ts';
import { ErrorsRepository } from './errors.repository.ts';

/** Takes what failed and keeps it by groups; what is kept is bounded, and what was left out is counted. */
@Injectable()
export class CollectorService {
  constructor(
    private readonly repository: ErrorsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async take({ scope, principal, body }: InputOf<typeof takeErrorReports>): Promise<void> {
    for (const report of body.reports) await this.work.run(principal, (tx) => this.keep(scope, report, tx));
    for (const [reason, count] of Object.entries(body.drops)) await this.drop(scope, reason as ErrorDrop, count);
  }

  private async keep(scope: PlatformScope, report: ErrorReport, tx: Transaction): Promise<void> {
    const groups = this.repository.groups.within(scope, tx);
    const samples = this.repository.samples.within(scope, tx);
    if (await samples.exists({ eventId: report.eventId })) return;
    const known = await groups.findById(groupIdOf(report));
    if (!known && (await groups.count({}, { limit: mostErrorGroups })) >= mostErrorGroups)
      return this.drop(scope, 'groups', 1, tx);
    const now = this.clock.now();
    const { _id, words, ...group } = withReport(known && { ...known, words: [] }, report, now);
    if (known) await groups.update({ _id }, { $set: group });
    // Where another process has made it meanwhile, all of this runs again.
    else await groups.insertOnce({ _id, words, ...group });
    const { userId: _userId, ...kept } = report;
    const { eventId, traceId, digest } = report;
    const place = `${_id}/${(group.count - 1) % mostErrorSamples}`;
    const sample = { groupId: _id, receivedAt: now, eventId, traceId, digest, report: kept };
    await samples.upsert({ _id: place }, { $set: sample });
    await this.tellTest(scope, { report, groupId: _id, now }, tx);
  }

  private async tellTest(scope: PlatformScope, { report, groupId, now }: Kept, tx: Transaction): Promise<void> {
    const { errorTestId, eventId, traceId, deployable, at } = report;
    if (errorTestId === null) return;
    const arrived = { failedAt: new Date(at), receivedAt: now, eventId, deployable, groupId };
    const change = { $set: { arrived, ...(traceId !== null && { traceId }) } };
    await this.repository.tests.within(scope, tx).update({ _id: errorTestId, arrived: null }, change);
  }

  private async drop(scope: PlatformScope, reason: ErrorDrop, count: number, tx?: Transaction): Promise<void> {
    const change = { $inc: { count }, $set: { lastAt: this.clock.now() } };
    await this.repository.drops.within(scope, tx).upsert({ _id: reason }, change);
  }
}

type Kept = { readonly report: ErrorReport; readonly groupId: ErrorGroupRow['_id']; readonly now: Date };
