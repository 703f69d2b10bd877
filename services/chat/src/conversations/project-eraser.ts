import { Injectable } from '@nestjs/common';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { DraftsService } from './drafts.service.ts';
import type { eraseProject } from './project-jobs.ts';
import { projectRows } from './project.collection.ts';

/** Time in ms until the next look at a deleted project whose chats are still being moved. */
const againMs = 60_000;
const scope = jobScope('erasing deleted projects');

/**
 * Erases a project that was deleted seven days ago, with its draft. From then on, the project doesn't use its files.
 */
@Injectable()
export class ProjectEraser implements JobRunner<JobInput<typeof eraseProject>> {
  private readonly projects: Rows<typeof projectRows>;

  constructor(
    mongo: Mongo,
    private readonly drafts: DraftsService,
    private readonly work: Work,
  ) {
    this.projects = mongo.rows(projectRows);
  }

  /** Waits if chats are still leaving the project. */
  async run({ orgId, projectId, userId }: JobInput<typeof eraseProject>, run: JobRun): Promise<GoesOn | void> {
    const orgScope = scope.in(orgId);
    const isMoving = await this.projects.within(orgScope).exists({ _id: projectId, moving: { $ne: null } });
    if (isMoving) return goOn(run.later(againMs));
    await this.work.run(job('erases deleted projects', { onBehalfOf: userId }), async (tx) => {
      const rows = this.projects.within(orgScope, tx);
      const project = await rows.findOne({ _id: projectId, deletedAt: { $ne: null } });
      if (!project || !(await rows.delete({ _id: projectId }))) return;
      await this.drafts.eraseWith(orgScope, project, tx);
    });
  }
}
