import type { MessagePort } from 'node:worker_threads';
import { pack, unpack, type Numbered } from './wire/parcel.ts';

/** Sends commands to this process's store and returns its answers, both as BSON, without a driver or a socket. */
export class StoreLink {
  private readonly waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  private gathered: Numbered[] = [];
  private last = 0;
  private isClosed = false;
  private readonly port: MessagePort;

  constructor(port: MessagePort) {
    this.port = port;
    port.on('message', (packed: ArrayBuffer) => this.take(packed));
    port.on('close', () => this.end());
    // The port alone doesn't keep a process running: its servers and the store's thread do.
    port.unref();
  }

  /**
   * Resolves with the store's answer, which may be an error with `ok: 0`; rejects when the store has stopped. The command
   * has to name its database (`$db`). Commands of the same tick are sent together.
   */
  run(command: Uint8Array): Promise<Uint8Array> {
    if (this.isClosed) return Promise.reject(stopped());
    this.last = (this.last + 1) >>> 0;
    const answer = Promise.withResolvers<Uint8Array>();
    this.waiting.set(this.last, answer);
    if (this.gathered.push({ number: this.last, document: command }) === 1) process.nextTick(() => this.send());
    return answer.promise;
  }

  close(): void {
    this.port.close();
  }

  private send(): void {
    const packed = pack(this.gathered);
    this.gathered = [];
    this.port.postMessage(packed, [packed]);
  }

  private take(packed: ArrayBuffer): void {
    for (const { number, document } of unpack(packed)) {
      this.waiting.get(number)?.resolve(document);
      this.waiting.delete(number);
    }
  }

  private end(): void {
    this.isClosed = true;
    for (const answer of this.waiting.values()) answer.reject(stopped());
    this.waiting.clear();
  }
}

const stopped = (): Error => new Error('the store has stopped');
