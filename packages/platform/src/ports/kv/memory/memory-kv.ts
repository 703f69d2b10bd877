import { Kv } from '../kv.ts';

/** `expiresAt` is monotonic: entries live for their time, even if the wall clock jumps. */
type Entry = { value: string; expiresAt: number };

/** Limits the entries that each write checks for expiry: enough to keep the map near its live size, without a timer. */
const lookedAtPerWrite = 4;

/** Values of this process only. */
export class MemoryKv extends Kv {
  private readonly entries = new Map<string, Entry>();
  private sweep = this.entries.entries();
  /** For each key and member, until when the member counts, on the monotonic clock. */
  private readonly members = new Map<string, Map<string, number>>();
  private memberSweep = this.members.entries();

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

  async increment(key: string, { by = 1, expiresAt }: { by?: number; expiresAt: Date }): Promise<number> {
    const entry = this.live(key);
    const next = Number(entry?.value ?? 0) + by;
    if (!Number.isSafeInteger(next)) throw new Error(`The value of ${key} is no counter.`);
    if (entry) entry.value = String(next);
    else this.put(key, String(next), expiresAt);
    return next;
  }

  async enter(key: string, member: string, { most, expiresAt }: { most: number; expiresAt: Date }): Promise<boolean> {
    const now = performance.now();
    this.forgetMembers(now);
    const members = this.members.get(key) ?? new Map<string, number>();
    for (const [other, until] of members) if (until <= now) members.delete(other);
    const isLet = members.has(member) || members.size < most;
    if (isLet) members.set(member, now + expiresAt.getTime() - Date.now());
    if (members.size > 0) this.members.set(key, members);
    else this.members.delete(key);
    return isLet;
  }

  async leave(key: string, member: string): Promise<void> {
    const members = this.members.get(key);
    members?.delete(member);
    if (members?.size === 0) this.members.delete(key);
  }

  async delete(key: string): Promise<void> {
    this.entries.delete(key);
    this.members.delete(key);
  }

  async close(): Promise<void> {
    this.entries.clear();
    this.members.clear();
  }

  /** Removes expired members of some keys, so that unused keys are removed too. */
  private forgetMembers(now: number): void {
    for (let looked = 0; looked < lookedAtPerWrite; looked += 1) {
      const next = this.memberSweep.next();
      if (next.done) {
        this.memberSweep = this.members.entries();
        return;
      }
      const [candidate, members] = next.value;
      if ([...members.values()].every((until) => until <= now)) this.members.delete(candidate);
    }
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
