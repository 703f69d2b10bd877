/** A wake-up without content between processes. A ring may get lost: whoever waits also sweeps each second. */
export abstract class Doorbell {
  abstract ring(name: string): void;
  /**
   * Calls back soon after each ring; several rings may come as one. A listener that throws disturbs nobody. Returns how
   * to stop listening.
   */
  abstract on(name: string, listener: () => void): () => void;
  abstract close(): Promise<void>;
}
