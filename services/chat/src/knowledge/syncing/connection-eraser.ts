import { Injectable } from '@nestjs/common';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { freeingSpace, jobScope } from '@parley/platform/mongo';
import { ConnectionsRepository, type eraseConnection } from '../connections/index.ts';
import { SyncedDocuments } from '../documents/index.ts';

const jobs = jobScope('erasing deleted data connections');
type Input = JobInput<typeof eraseConnection>;

/** Erases a deleted data connection with all of its documents. It goes on where another process ended. */
@Injectable()
export class ConnectionEraser implements JobRunner<Input> {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly documents: SyncedDocuments,
  ) {}

  async run({ orgId, connectionId }: Input, run: JobRun): Promise<GoesOn | void> {
    const scope = jobs.in(orgId);
    if (!(await this.connections.stop(scope, connectionId))) return;
    while (await freeingSpace(() => this.documents.eraseSome(scope, connectionId))) {
      run.progressed();
      run.signal.throwIfAborted();
      if (run.shouldMakeRoom) return goOn();
    }
    await freeingSpace(() => this.connections.purge(scope, connectionId));
  }
}
