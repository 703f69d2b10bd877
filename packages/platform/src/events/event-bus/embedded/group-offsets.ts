import type { Logger } from '../../../base/logging/index.ts';
import type { Mongo, Rows } from '../../../rows/mongo/index.ts';
import { groupOffsetRows, logScope } from './log.collection.ts';

/**
 * Offsets are written after `quietMs` without events, at the latest `longestMs` after the first batch, so that
 * everything in between shares one write. Events that a killed process handled since then come again, and its consumers
 * recognise them.
 */
const quietMs = 300;
const longestMs = 2_000;

/** Stores how far each group has read each topic. The offsets of all groups are written together. */
export class GroupOffsets {
  private readonly rows: Rows<typeof groupOffsetRows>;
  private readonly unsaved = new Map<string, number>();
  private unsavedSince: number | null = null;
  private timer: NodeJS.Timeout | null = null;
  private saving: Promise<void> = Promise.resolve();

  constructor(
    mongo: Mongo,
    private readonly logger: Logger,
  ) {
    this.rows = mongo.rows(groupOffsetRows);
  }

  /** Returns the offset up to which a group has handled a topic; 0 if it has handled nothing yet. */
  async find(id: string): Promise<number> {
    return this.unsaved.get(id) ?? (await this.rows.within(logScope).findById(id))?.offset ?? 0;
  }

  advance(id: string, offset: number): void {
    this.unsaved.set(id, offset);
    if (this.timer) clearTimeout(this.timer);
    const now = performance.now();
    this.unsavedSince ??= now;
    const leftMs = Math.max(0, this.unsavedSince + longestMs - now);
    this.timer = setTimeout(() => void this.save(), Math.min(quietMs, leftMs));
  }

  /** Writes the offsets of everything handled so far. Never rejects: after a failure they wait for the next time. */
  save(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.unsavedSince = null;
    this.saving = this.saving.then(() => this.write());
    return this.saving;
  }

  private async write(): Promise<void> {
    const offsets = [...this.unsaved];
    if (offsets.length === 0) return;
    const changes = offsets.map(([_id, offset]) => ({ filter: { _id }, change: { $set: { offset } } }));
    try {
      await this.rows.within(logScope).upsertEach(changes);
      for (const [id, offset] of offsets) if (this.unsaved.get(id) === offset) this.unsaved.delete(id);
    } catch (error) {
      this.logger.warn({ err: error }, 'offsets were not kept; their events come again after a restart');
    }
  }
}
