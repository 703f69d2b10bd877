import type { ChunkId, ConnectionId } from '@parley/contracts';
import { setImmediate as others } from 'node:timers/promises';

/** So many numbers are multiplied before others get their turn: some 4 ms. */
const productsAtOnce = 3_000_000;
const largest = 127;

/** A vector in one signed byte per dimension: its direction counts, its length does not. */
export function toBytes(vector: readonly number[]): Int8Array {
  const scale = largest / Math.max(...vector.map(Math.abs), Number.MIN_VALUE);
  return Int8Array.from(vector, (value) => Math.round(value * scale));
}

export type Near = { readonly at: number; readonly similarity: number };

/**
 * The vectors of one organisation, made by one model, in memory. Every one of what somebody may read is compared: nothing
 * is guessed, and what they may not read is left out before anything is ranked.
 */
export class VectorSet {
  private readonly dimensions: number;
  private ids: ChunkId[] = [];
  private connections: (ConnectionId | null)[] = [];
  private bytes = new Int8Array(0);
  private lengths = new Float32Array(0);

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  get size(): number {
    return this.ids.length;
  }

  get byteLength(): number {
    return this.bytes.byteLength;
  }

  idAt(at: number): ChunkId {
    return this.ids[at]!;
  }

  /** Vectors with another number of dimensions are none of this model's, and are left out. */
  add(id: ChunkId, connectionId: ConnectionId | null, vector: Int8Array): void {
    if (vector.length !== this.dimensions) return;
    const at = this.ids.length;
    this.makeRoomFor(at + 1);
    this.bytes.set(vector, at * this.dimensions);
    this.lengths[at] = Math.hypot(...vector);
    this.ids.push(id);
    this.connections.push(connectionId);
  }

  /** The cosine of each with the question, as far as it lies in one of these connections; -1 where it does not. */
  async compare(asked: readonly number[], within: ReadonlySet<ConnectionId | null>): Promise<Float32Array> {
    const { bytes, lengths, dimensions, connections } = this;
    const similarities = new Float32Array(this.size).fill(-1);
    if (asked.length !== dimensions) return similarities;
    const question = Int32Array.from(toBytes(asked));
    const askedLength = Math.hypot(...question);
    const rowsAtOnce = Math.max(1, Math.floor(productsAtOnce / dimensions));
    for (let at = 0; at < similarities.length; at += 1) {
      if (at > 0 && at % rowsAtOnce === 0) await others();
      const length = askedLength * lengths[at]!;
      if (within.has(connections[at]!) && length > 0)
        similarities[at] = dot(question, bytes.subarray(at * dimensions, (at + 1) * dimensions)) / length;
    }
    return similarities;
  }

  private makeRoomFor(rows: number): void {
    if (rows <= this.lengths.length) return;
    const room = Math.max(256, Math.ceil(rows * 1.25));
    const bytes = new Int8Array(room * this.dimensions);
    bytes.set(this.bytes);
    const lengths = new Float32Array(room);
    lengths.set(this.lengths);
    [this.bytes, this.lengths] = [bytes, lengths];
  }
}

/** Whole numbers, which are multiplied in half the time; their sum stays below 2^31 up to 130,000 dimensions. */
function dot(question: Int32Array, bytes: Int8Array): number {
  let sum = 0;
  for (let index = 0; index < question.length; index += 1) sum = (sum + Math.imul(question[index]!, bytes[index]!)) | 0;
  return sum;
}

/** The best of these, best first, but for those that were looked at before. */
export function bestOf(
  similarities: Float32Array,
  { most, least, but }: { readonly most: number; readonly least: number; readonly but: ReadonlySet<number> },
): Near[] {
  const best: Near[] = [];
  for (let at = 0; at < similarities.length; at += 1) {
    const similarity = similarities[at]!;
    const worst = best.length < most ? least : best.at(-1)!.similarity;
    if (similarity < worst || but.has(at) || (best.length === most && similarity === worst)) continue;
    const place = best.findLastIndex((other) => other.similarity >= similarity) + 1;
    best.splice(place, 0, { at, similarity });
    if (best.length > most) best.pop();
  }
  return best;
}
