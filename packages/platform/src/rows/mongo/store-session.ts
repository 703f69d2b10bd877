/** An open transaction of the store, which can be passed on and reports its end. */
export abstract class StoreSession {
  /** Calls back once when the transaction has ended: committed, or given up after its last attempt. */
  abstract whenEnded(act: () => void): void;
  /** Sends the held writes (`ScopedRows.later`); the commit does it, too. */
  abstract sendHeld(): Promise<void>;
}
