import { EventEmitter } from 'node:events';
import { Doorbell } from '../doorbell.ts';

/** Rings within this process. Rings of one turn of the event loop come as one; a listener's throw becomes a warning. */
export class MemoryDoorbell extends Doorbell {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private readonly ringing = new Set<string>();

  ring(name: string): void {
    if (this.ringing.has(name)) return;
    this.ringing.add(name);
    setImmediate(() => {
      this.ringing.delete(name);
      this.emitter.emit(name);
    });
  }

  on(name: string, listener: () => void): () => void {
    const guarded = (): void => {
      try {
        listener();
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    };
    this.emitter.on(name, guarded);
    return () => { this.emitter.off(name, guarded); };
  }

  async close(): Promise<void> {
    this.emitter.removeAllListeners();
  }
}
