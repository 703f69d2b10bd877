import type { DataOf, EventDefinition } from '@parley/protocol';
import type { ClientSession } from 'mongoose';

/**
 * One unit of work, open. Pass it to every read and write that belongs together; what is recorded is published after
 * the commit, and forgotten when the work is run again or fails.
 */
export type Transaction = {
  readonly session: ClientSession;
  /**
   * Records that something happened. Data that does not fit the definition is refused here. Ordering key and tenant are
   * taken from the data; `sequence` is the aggregate's own contiguous number, left out it is counted per key.
   */
  record<Definition extends EventDefinition>(
    definition: Definition,
    data: DataOf<Definition>,
    options?: { readonly sequence?: number },
  ): void;
};
