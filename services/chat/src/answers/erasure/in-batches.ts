import { goOn, type GoesOn, type JobRun } from '@parley/platform/jobs';
import { freeingSpace } from '@parley/platform/mongo';
import { setTimeout as wait } from 'node:timers/promises';

/** Between two batches: other commands have the store for longer than this job. */
const pauseMs = 20;

/** Erases batch after batch. `eraseSome` returns whether that was the last. Others get their turn in between. */
export async function inBatches(run: JobRun, eraseSome: () => Promise<boolean>): Promise<GoesOn | void> {
  while (!(await freeingSpace(eraseSome))) {
    run.progressed();
    run.signal.throwIfAborted();
    if (run.shouldMakeRoom) return goOn();
    await wait(pauseMs);
  }
}
