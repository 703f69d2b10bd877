import { Kv } from '../kv.ts';

/** `expiresAt` is monotonic: entries live for as long as they were meant to, whatever happens to the clock. */
type Entry = { value: string; expiresAt: number };

/** How many entries each write looks at for expiry: enough to keep the map near its live size, without any timer. */
const lookedAtPerWrite = 4;

/** Values of this process only. */
export class MemoryKv extends Kv {
  private readonly entries = new Map<string, Entry>();
  private sweep = this.entries.entries();

  async get(key: string): Promise<string | null> {
    return this.live(key)?.value ?? null;
  }

  async set(key: string, value: string, { expiresAt }: { expiresAt: Date }): Promise<void> {
    this.put(key, value, expiresAt);
  }

  async setIfAbsent(key: string, value: string, { expiresAt }: { expiresAt: Date }): Promise<boolean> {
    if (this.live(key)) return false;
    this.put(key, value, expiresAt);
    return true;
  }

  async increment(key: string, { expiresAt }: { expiresAt: Date }): Promise<number> {
    const entry = this.live(key);
    if (!entry) {
      this.put(key, '1', expiresAt);
      return 1;
    }
    const next = Number(entry.value) + 1;
    if (!Number.isSafeInteger(next)) throw new Error(`The value of ${key} is no counter.`);
    entry.value = String(next);
    return next;
  }

  async delete(key: string): Promise<void> {
    this.entries.delete(key);
  }

  async close(): Promise<void> {
    this.entries.clear();
  }

  private live(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (!entry || entry.expiresAt > performance.now()) return entry;
    this.entries.delete(key);
    return undefined;
  }

  private put(key: string, value: string, expiresAt: Date): void {
    const now = performance.now();
    this.entries.set(key, { value, expiresAt: now + expiresAt.getTime() - Date.now() });
    for (let looked = 0; looked < lookedAtPerWrite; looked += 1) {
      const next = this.sweep.next();
      if (next.done) {
        this.sweep = this.entries.entries();
        return;
      }
      const [candidate, entry] = next.value;
      if (entry.expiresAt <= now) this.entries.delete(candidate);
    }
  }
}
