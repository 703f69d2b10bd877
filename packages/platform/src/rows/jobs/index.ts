export { dueLater, jobBell, JobQueue } from './job-queue.ts';
export { jobId, JobRows, type JobChange } from './job-rows.ts';
export { queueWaiting } from './queue-waiting.ts';
export { jobRows, type JobProgress, type JobRow } from './job.collection.ts';
