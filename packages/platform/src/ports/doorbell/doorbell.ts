/** Wakes listeners in all processes, without content. A ring is lost where it is never sent, or with the store that holds it: listeners sweep, too. */
export abstract class Doorbell {
  abstract ring(name: string): void;
  /**
   * Calls back soon after each ring; several rings may come as one. A listener that throws disturbs nobody. Returns how
   * to stop listening.
   */
  abstract on(name: string, listener: () => void): () => void;
  abstract close(): Promise<void>;
}
