export { defineJob, type JobDefinition, type JobInput, type JobOwner } from '../../base/job-definition.ts';
export { JobQueue, JobRows, jobRows, queueWaiting, type JobProgress, type JobRow } from '../../rows/jobs/index.ts';
export { JobLost, JobRun } from './job-run.ts';
export { Jobs } from './jobs.ts';
export { goOn, type GoesOn, type JobRunner } from './kind-queue.ts';
