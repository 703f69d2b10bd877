import { Injectable, type Type } from '@nestjs/common';
import {
  jobRoutesOf,
  mostLaterJobs,
  mostParkedJobs,
  mostRunAgain,
  type JobsOfKind,
  type JobsToRun,
  type readAuthJobs,
  type runAuthJobs,
  type Service,
} from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import type { JobQueue, JobRow } from '../../jobs/queue/index.ts';
import { feature } from './feature.ts';
import type { InputOf } from './route.ts';

/** Reports on the jobs of a service and runs parked ones again. */
export class OwnJobs {
  constructor(
    private readonly jobs: JobQueue,
    private readonly kinds: () => readonly string[],
  ) {}

  /** Counts the jobs of each kind, and lists parked jobs of the organisation and those that belong to none. */
  async health(orgId: OrgId): Promise<JobsOfKind[]> {
    const later = await this.jobs.rows.dueLater(mostLaterJobs);
    return Promise.all(
      this.kinds().map(async (kind) => {
        const { ready, running, parked } = await this.jobs.rows.countOf(kind);
        const ofKind = later.filter((row) => row.kind === kind);
        return {
          kind,
          waiting: ready,
          running,
          later: ofKind.length,
          retrying: ofKind.filter(({ cause }) => cause !== null).length,
          parked,
          ...(parked > 0 ? await this.parked(kind, orgId) : { parkedHere: 0, parkedJobs: [], parkedElsewhere: [] }),
        };
      }),
    );
  }

  /** Runs parked jobs again and returns how many; 0 for a kind that the service doesn't run. */
  async runAgain(orgId: OrgId, { kind, ids }: JobsToRun): Promise<number> {
    return this.kinds().includes(kind) ? this.jobs.runAgain({ kind, orgId, ids }, mostRunAgain) : 0;
  }

  private async parked(
    kind: string,
    own: OrgId,
  ): Promise<Pick<JobsOfKind, 'parkedHere' | 'parkedJobs' | 'parkedElsewhere'>> {
    const [counts, rows] = await Promise.all([
      this.jobs.rows.countParked(kind),
      this.jobs.rows.parkedOf({ kind, orgId: own }, mostParkedJobs),
    ]);
    const isHere = (orgId: OrgId | null): boolean => orgId === null || orgId === own;
    return {
      parkedHere: counts.reduce((sum, { orgId, count }) => sum + (isHere(orgId) ? count : 0), 0),
      parkedJobs: rows.map(toParkedJob),
      parkedElsewhere: counts.flatMap(({ orgId, count }) => (orgId && !isHere(orgId) ? [{ orgId, count }] : [])),
    };
  }
}

const toParkedJob = (
  row: Pick<JobRow, '_id' | 'orgId' | 'cause' | 'attempts' | 'dueAt'>,
): JobsOfKind['parkedJobs'][number] => ({
  id: row._id,
  cause: row.cause,
  attempts: row.attempts,
  at: row.dueAt.toISOString(),
  isOfAll: row.orgId === null,
});

@Injectable()
class JobHealthHandlers {
  constructor(private readonly jobs: OwnJobs) {}

  async readJobs({ params }: InputOf<typeof readAuthJobs>): Promise<{ kinds: JobsOfKind[] }> {
    return { kinds: await this.jobs.health(params.orgId) };
  }

  async runJobs({ params, body }: InputOf<typeof runAuthJobs>): Promise<{ count: number }> {
    return { count: await this.jobs.runAgain(params.orgId, body) };
  }
}

/** Creates the routes by which monitoring asks a service about its jobs. */
export const jobHealthFeature = (service: Service): Type =>
  feature({ routes: jobRoutesOf(service), handlers: JobHealthHandlers });
