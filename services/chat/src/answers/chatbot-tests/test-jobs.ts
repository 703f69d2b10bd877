import { testRunId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { testRunRows, type TestRunRow } from './test.collection.ts';

/** Runs a chatbot's tests step by step. */
export const runTests = defineJob('run-chatbot-tests', {
  input: z.strictObject({ runId: testRunId, orgId, userId }),
  keyOf: ({ runId }) => runId,
  ownerOf: ({ orgId: organisation, userId: person }) => ({ orgId: organisation, person }),
  // Only 8 run at once: steps are short, because the workers of answers write the answers.
  slots: { all: 8 },
  leaseMs: 30_000,
  attempts: 10,
  pauseMs: (attempt) => attempt * 1_000,
});

/** Returns the input of the job that makes the steps of a test run. */
export const steppingOf = ({ _id: runId, orgId: organisation, asker }: TestRunRow) => ({
  runId,
  orgId: organisation,
  userId: asker.userId,
});

/** Queues jobs for test runs that an earlier version, which had no such job, left running. */
export const testRunsToJobs = queueWaiting({
  name: 'jobs-of-test-runs',
  title: 'queueing test runs that go on',
  rows: testRunRows,
  oldIndexes: ['status_1_steppedAt_1'],
  job: runTests,
  jobOf: (row) => (row.status === 'running' ? { input: steppingOf(row) } : null),
});
