import { EventEmitter } from 'node:events';
import { createLogger, type Logger } from '../../../base/logging/index.ts';
import { Doorbell } from '../doorbell.ts';

/**
 * Rings within this process; no ring is lost until the doorbell is closed. Rings of one turn of the event loop come as
 * one. Errors of listeners are logged.
 */
export class MemoryDoorbell extends Doorbell {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private readonly ringing = new Set<string>();

  private readonly logger: Logger;

  constructor(options: { readonly logger?: Logger } = {}) {
    super();
    this.logger = options.logger ?? createLogger({ name: 'doorbell' });
  }

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
        this.logger.error({ err: error, bell: name }, 'a listener of the doorbell failed');
      }
    };
    this.emitter.on(name, guarded);
    return () => {
      this.emitter.off(name, guarded);
    };
  }

  async close(): Promise<void> {
    this.emitter.removeAllListeners();
  }
}
