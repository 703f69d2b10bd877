/** A transaction of the store while it is open: to be handed on, and to hear of its end. */
export abstract class StoreSession {
  /** Calls once when the transaction has ended: committed, or given up after its last attempt. */
  abstract whenEnded(act: () => void): void;
  /** Sends the writes that wait for others (`ScopedRows.later`); the commit does it, too. */
  abstract sendHeld(): Promise<void>;
}
