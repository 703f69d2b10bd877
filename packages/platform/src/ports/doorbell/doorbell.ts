/**
 * Wakes listeners in all processes, without content. A ring that is lost on its way comes within a second after the
 * connection is back. A ring that was never sent, or that Redis loses with its data, doesn't come, so listeners also
 * look at regular times.
 */
export abstract class Doorbell {
  abstract ring(name: string): void;
  /**
   * Calls back soon after each ring. Several rings can come as one, and a ring from shortly before this call can come
   * too. A listener that throws affects no other. Returns a function that stops listening.
   */
  abstract on(name: string, listener: () => void): () => void;
  abstract close(): Promise<void>;
}
