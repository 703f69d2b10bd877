import { takeErrorReports, type ErrorReport } from '@parley/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../base/logging/index.ts';
import type { Peers } from '../../edge/peers/index.ts';
import { BurstLimit } from '../../ports/reporter/burst-limit.ts';
import { reportOf } from '../../ports/reporter/error-report.ts';
import { Reporter, type ReportContext } from '../../ports/reporter/reporter.ts';

const telling = { deadlineMs: 5_000, failMode: 'refuse' } as const;
/** Resolves with the peers, by which Parley's own collector is reached, once they are known. */
export type CollectorPeers = Promise<Pick<Peers, 'call'>>;

/**
 * Reports to Parley's own collector, in monitoring. Errors of the collector itself are only logged, or it would report
 * them for ever. Reports that the collector refused are only logged too.
 */
export class CollectorReporter extends Reporter {
  private readonly sending = new Set<Promise<void>>();
  private left = 0;
  private readonly limit = new BurstLimit((limit) =>
    this.logger.warn(limit, 'too many errors at once; some are in the log only'),
  );

  constructor(
    private readonly peers: CollectorPeers,
    private readonly logger: Logger,
  ) {
    super();
  }

  report(error: unknown, context: ReportContext): void {
    if (context.route === takeErrorReports.path) return;
    if (!this.limit.lets()) {
      this.left += 1;
      return;
    }
    const sent = this.send(reportOf(error, context)).finally(() => this.sending.delete(sent));
    this.sending.add(sent);
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.sending.size > 0)
      await Promise.race([Promise.all(this.sending), sleep(timeoutMs, undefined, { ref: false })]);
  }

  private async send(report: ErrorReport): Promise<void> {
    const { left } = this;
    this.left = 0;
    try {
      const drops = left === 0 ? {} : { rate: left };
      await (await this.peers).call(takeErrorReports, { body: { reports: [report], drops } }, telling);
    } catch (cause) {
      this.left += left;
      this.logger.warn({ err: cause, eventId: report.eventId }, 'an error could not be told to the collector');
    }
  }
}
