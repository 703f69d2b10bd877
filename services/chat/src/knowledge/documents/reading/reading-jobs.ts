import { defineJob, type JobInput } from '@parley/platform/jobs';
import type { Transaction } from '@parley/platform/mongo';
import { orgId, type OrgId } from '@parley/protocol';
import { z } from 'zod';

/** Files that one process reads at the same time, of each of the two kinds: each may take 700 MB of memory. */
const mostReaders = 1;

const ofFile = {
  /** `source` says whose rows the id is of; `queuedBy` is the person or the connection for whom it waits. */
  input: z.strictObject({ source: z.enum(['documents', 'files']), id: z.string(), orgId, queuedBy: z.string() }),
  keyOf: ({ id }: { readonly id: string }) => id,
  ownerOf: ({ orgId: organisation, queuedBy }: { readonly orgId: OrgId; readonly queuedBy: string }) => ({
    orgId: organisation,
    person: queuedBy,
  }),
  slots: { all: mostReaders },
  leaseMs: 60_000,
  // A file that is damaged, or takes too long or too much memory, fails at its first attempt.
  attempts: 3,
  pauseMs: () => 5_000,
};

/** Reads a document, or a file of a chat; one that turns out to take long is left to the other kind. */
export const readFile = defineJob('read-file', ofFile);

/** Reads one that takes long, beside a short one. */
export const readLongFile = defineJob('read-long-file', ofFile);

export type ReadingInput = JobInput<typeof readFile>;

/** Returns true for a file that waits to be read, or that its reader has left. */
export const isUnread = ({ status }: { readonly status: string }): boolean =>
  status === 'stored' || status === 'reading';

/** Queues a file that waits to be read. */
export function queueReading(tx: Transaction, input: ReadingInput, takesLong: boolean): void {
  const [wanted, other] = takesLong ? ([readLongFile, readFile] as const) : ([readFile, readLongFile] as const);
  tx.cancel(other, input.id);
  tx.queue(wanted, input);
}
