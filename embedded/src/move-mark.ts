import { Mongo } from '@parley/platform/mongo';
import { createHash } from 'node:crypto';
import { StartRefused, type DataFolder } from './data-folder.ts';

/**
 * What has arrived: as many documents or bytes as had left, with the same SHA-256 over all of them in the order of
 * their ids.
 */
export type MovedPart = { readonly name: string; readonly count: number; readonly checksum: string };
/** `parts` once all have arrived; until then the destination holds a beginning. */
type Mark = { readonly source: string; readonly parts?: readonly MovedPart[] };
type MarkRow = Mark & { readonly _id: string };

/** In the first database of the destination, for as long as a move is under way. */
export const markCollection = 'move_mark';
const _id = 'move';

/** Tells a move that is run again what in the destination is its own. */
export class MoveMark {
  private readonly source: string;

  private constructor(
    private readonly mongo: Mongo,
    folder: DataFolder,
  ) {
    this.source = createHash('sha256').update(folder.keys.sealingKey).digest('hex');
  }

  static async open(uri: string, folder: DataFolder): Promise<MoveMark> {
    return new MoveMark(await Mongo.connect(uri), folder);
  }

  /** What an earlier run of this move has come to; null without one. Throws `StartRefused` on that of another folder. */
  async read(): Promise<Mark | null> {
    const mark = await this.rows.findOne({ _id });
    if (mark && mark.source !== this.source)
      throw new StartRefused(
        'The destination holds the beginning of another data folder: move that one to its end, or drop the parley_* databases.',
      );
    return mark;
  }

  async begin(): Promise<void> {
    await this.rows.updateOne({ _id }, { $set: { source: this.source } }, { upsert: true });
  }

  async arrived(parts: readonly MovedPart[]): Promise<void> {
    await this.rows.updateOne({ _id }, { $set: { parts } });
  }

  /** From here on the destination is an installation like any other. */
  async remove(): Promise<void> {
    await this.rows.deleteOne({ _id });
    await this.mongo.connection.dropCollection(markCollection);
  }

  close(): Promise<void> {
    return this.mongo.close();
  }

  private get rows() {
    return this.mongo.connection.collection<MarkRow>(markCollection);
  }
}
