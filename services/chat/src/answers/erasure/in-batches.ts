import { goOn, type GoesOn, type JobRun } from '@parley/platform/jobs';
import { freeingSpace } from '@parley/platform/mongo';
import { setTimeout as wait } from 'node:timers/promises';

/** Pauses between two batches, so that other commands get the store for longer than this job. */
const pauseMs = 20;

/** Erases batch after batch until `eraseSome` returns true, and lets other jobs run between batches. */
export async function inBatches(run: JobRun, eraseSome: () => Promise<boolean>): Promise<GoesOn | void> {
  while (!(await freeingSpace(eraseSome))) {
    run.progressed();
    run.signal.throwIfAborted();
    if (run.shouldMakeRoom) return goOn();
    await wait(pauseMs);
  }
}
