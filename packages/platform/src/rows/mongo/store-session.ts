/** An open transaction of the store, which callers can pass on and which reports its end. */
export abstract class StoreSession {
  /** Calls back once when the transaction has ended: committed, or given up after its last attempt. */
  abstract whenEnded(act: () => void): void;
  /** Sends the held writes (`ScopedRows.later`); the commit sends them, too. */
  abstract sendHeld(): Promise<void>;
}
