/** Names points where an acceptance test kills the process. Does nothing outside of such tests. */
export type Failpoint = (
  name:
    | 'effect-committed'
    | 'relayed-not-marked'
    | 'logged-not-committed'
    | 'seats-raised-not-noted'
    | 'seats-written-not-committed'
    | 'claimed-no-frame'
    | 'mail-sent-not-marked'
    | 'place-taken-not-entered'
    | 'joined-not-answered'
    | 'unseen-removed'
    | 'migration-begun'
    | 'migration-batch-written'
    | 'migration-batch-kept',
) => Promise<void>;
