/**
 * Wakes listeners in all processes, without content. A ring that is lost on its way comes within a second after the way is
 * there again. One that is never sent, or that Redis loses with its data, doesn't come: listeners sweep, too.
 */
export abstract class Doorbell {
  abstract ring(name: string): void;
  /**
   * Calls back soon after each ring; several rings may come as one, and one from shortly before may come, too. A listener
   * that throws disturbs nobody. Returns how to stop listening.
   */
  abstract on(name: string, listener: () => void): () => void;
  abstract close(): Promise<void>;
}
