import { Injectable } from '@nestjs/common';
import { messageId, type MessageId } from '@parley/contracts';
import { defineJob, JobRows, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { job, Work } from '@parley/platform/work';
import { z } from 'zod';
import { setTimeout as wait } from 'node:timers/promises';
import { keysBesideWords, MessagesRepository } from '../../conversations/index.ts';

const filling = job('lets messages be found by operators');
const scope = jobScope('letting messages be found by operators');
const messagesPerBatch = 100;
/** Pauses between two batches, so that other commands get the store for longer than this job. */
const pauseMs = 20;
/**
 * The time before the job starts: by then processes of the previous version, which write messages without these keys,
 * have ended.
 */
const beginsAfterMs = 3_600_000;
const key = 'all';

/** Adds the search keys of `has:` and `from:` to messages of earlier versions, in order of ids, from the id `after`. */
export const fillSearchKeys = defineJob('fill-search-keys', {
  input: z.strictObject({ after: messageId.nullable() }),
  keyOf: () => key,
  ownerOf: () => ({ orgId: null, person: '' }),
  slots: { all: 1 },
  leaseMs: 60_000,
  // The most attempts, a day's worth: even if the store is away for an hour, the job must finish, or searches miss
  // messages.
  attempts: 1_440,
  pauseMs: () => 60_000,
});

/** Queues the job `fill-search-keys` if there are messages. */
export const messagesToFill: DataMigration = {
  name: 'jobs-of-search-keys',
  title: 'queueing the keys of search operators',
  async batch(mongo) {
    const some = await new MessagesRepository(mongo).afterId(scope, { after: null, limit: 1 });
    if (some.length > 0)
      await new JobRows(mongo).addMissing(fillSearchKeys, { after: null }, new Date(Date.now() + beginsAfterMs));
    return null;
  },
};

type Input = JobInput<typeof fillSearchKeys>;

/**
 * Walks through all messages in order of their ids. Each batch stores its changes together with the id where the next
 * batch begins.
 */
@Injectable()
export class FillSearchKeys implements JobRunner<Input> {
  private isDone = false;

  constructor(
    private readonly messages: MessagesRepository,
    private readonly jobs: JobRows,
    private readonly work: Work,
  ) {}

  /** Returns whether the job still runs. Caches that it has ended, so that the store isn't asked again. */
  async goesOn(): Promise<boolean> {
    this.isDone ||= !(await this.jobs.isThere(fillSearchKeys, key));
    return !this.isDone;
  }

  async run({ after }: Input, run: JobRun): Promise<void> {
    for (let last = after; ;) {
      const next = await this.fill(last, run);
      if (next === null) return;
      last = next;
      run.progressed();
      run.signal.throwIfAborted();
      await wait(pauseMs);
    }
  }

  /** Fills one batch and returns its last message; null if there are no more. */
  private fill(after: MessageId | null, run: JobRun): Promise<MessageId | null> {
    return this.work.run(filling, async (tx) => {
      await run.hold(tx);
      const rows = await this.messages.afterId(scope, { after, limit: messagesPerBatch }, tx);
      const lacking = new Map<string, MessageId[]>();
      for (const { _id, searchKeys, ...row } of rows) {
        // Searches never find discarded messages, nor messages without words and files, such as those of trials.
        const isFound = row.isDiscarded !== true && (searchKeys.length > 0 || row.files?.length);
        for (const missing of isFound ? keysBesideWords(row).filter((one) => !searchKeys.includes(one)) : [])
          lacking.set(missing, [...(lacking.get(missing) ?? []), _id]);
      }
      for (const [missing, ids] of lacking) await this.messages.addSearchKey(scope, { ids, key: missing }, tx);
      const last = rows.at(-1)?._id;
      if (last === undefined || rows.length < messagesPerBatch) return null;
      tx.queue(fillSearchKeys, { after: last });
      return last;
    });
  }
}
