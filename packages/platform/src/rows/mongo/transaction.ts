import type { DataOf, EventDefinition } from '@parley/protocol';
import type { JobDefinition } from '../../base/job-definition.ts';
import type { StoreSession } from './store-session.ts';

/**
 * One unit of work, open. Pass it to every read and write that belongs together; what is recorded is published after
 * the commit, and forgotten when the work is run again or fails.
 */
export type Transaction = {
  readonly session: StoreSession;
  /** When it began; later where it is run again. */
  readonly now: Date;
  /**
   * Records that something happened. Data that does not fit the definition is refused here. Ordering key and tenant are
   * taken from the data; `sequence` is the aggregate's own contiguous number, left out it is counted per key.
   */
  record<Definition extends EventDefinition>(
    definition: Definition,
    data: DataOf<Definition>,
    options?: { readonly sequence?: number },
  ): void;
  /**
   * Queues a job that runs after the commit, at the given time at the earliest. Repeated for the same key, there is one
   * job: one that waits takes the new time, one that runs is run once more afterwards.
   */
  queue<Input>(job: JobDefinition<Input>, input: Input, options?: { readonly at?: Date }): void;
  /** Ends the job of this key. One that runs loses its lease: nothing that it wants to write is written. */
  cancel<Input>(job: JobDefinition<Input>, key: string): void;
};
