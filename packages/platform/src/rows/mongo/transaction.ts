import type { DataOf, EventDefinition } from '@parley/protocol';
import type { JobDefinition } from '../../base/job-definition.ts';
import type { StoreSession } from './store-session.ts';

/**
 * An open unit of work. Pass it to all reads and writes that belong together. Recorded events are published after the
 * commit, and dropped if the work runs again or fails.
 */
export type Transaction = {
  readonly session: StoreSession;
  /** When the work began; a later time if the work runs again. */
  readonly now: Date;
  /**
   * Records an event. Data that doesn't match the definition is refused immediately. Ordering key and tenant come from
   * the data. `sequence` is the aggregate's own number without gaps; by default it is counted per key.
   */
  record<Definition extends EventDefinition>(
    definition: Definition,
    data: DataOf<Definition>,
    options?: { readonly sequence?: number },
  ): void;
  /**
   * Queues a job that runs after the commit, at the given time at the earliest. A key has one job: if it waits, it gets
   * the new time; if it runs, it runs once more afterwards.
   */
  queue<Input>(job: JobDefinition<Input>, input: Input, options?: { readonly at?: Date }): void;
  /** Ends the job of this key. A running job loses its lease and can write nothing more. */
  cancel<Input>(job: JobDefinition<Input>, key: string): void;
};
