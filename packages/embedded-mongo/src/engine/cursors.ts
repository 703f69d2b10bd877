import { randomBytes } from 'node:crypto';
import { fail } from '../errors.ts';
import type { Value } from '../bson/value.ts';
import { valueOf } from '../bson/write.ts';
import type { Row, Stage } from '../query/stages.ts';
import type { Collection } from '../storage/catalog.ts';
import type { Target } from '../storage/target.ts';
import { catalogOf, type CommandContext, type Reply } from './context.ts';
import type { Pause } from './executor.ts';

/** An open query result. */
export type Cursor = {
  /** 0 until the cursor is kept. */
  id: bigint;
  readonly namespace: string;
  readonly stage: Stage;
  readonly collection: Collection | undefined;
  readonly target: Target;
  readonly neverExpires: boolean;
  waiting: Row[];
  lastUsedAt: number;
};

const idleMs = 10 * 60 * 1000;
const maxReplyBytes = 16 * 1024 * 1024;
/** Documents in a first batch whose size nobody gave. */
export const firstBatchSize = 101;

/** Keeps the open cursors of all clients. */
export class Cursors {
  private readonly open = new Map<bigint, Cursor>();

  get(id: bigint, namespace: string): Cursor {
    const cursor = this.open.get(id);
    if (cursor === undefined) return fail('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.namespace !== namespace)
      fail(
        'Unauthorized',
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    return cursor;
  }

  keep(cursor: Cursor): void {
    cursor.id = randomBytes(8).readBigInt64BE() & 0x7fffffffffffffffn;
    this.open.set(cursor.id, cursor);
  }

  kill(id: bigint): boolean {
    return this.open.delete(id);
  }

  /** Ends the cursors of a transaction. */
  killOf(target: Target): void {
    for (const cursor of this.open.values()) if (cursor.target === target) this.open.delete(cursor.id);
  }

  sweep(now: number): void {
    for (const cursor of this.open.values())
      if (!cursor.neverExpires && now - cursor.lastUsedAt > idleMs) this.open.delete(cursor.id);
  }
}

/** Takes the next documents of a cursor; `isDone` tells that there are no more. */
export function* takeBatch(
  context: CommandContext,
  cursor: Cursor,
  size: number,
): Generator<Pause, { documents: Value[]; isDone: boolean }, void> {
  const documents: Value[] = [];
  let bytes = 0;
  while (documents.length < size) {
    if (cursor.waiting.length === 0) {
      if (cursor.collection && cursor.collection.id >= 0 && !catalogOf(context).isCurrent(cursor.collection))
        fail(175, 'collection dropped between getMore calls');
      const rows = cursor.stage.next();
      if (rows === undefined) return { documents, isDone: true };
      cursor.waiting = rows;
      if (context.engine.slice.isOver) yield 'later';
    }
    let taken = 0;
    for (const { doc } of cursor.waiting) {
      const length = doc.end - doc.start;
      if (documents.length >= size) break;
      if (documents.length > 0 && bytes + length > maxReplyBytes) {
        cursor.waiting = cursor.waiting.slice(taken);
        return { documents, isDone: false };
      }
      documents.push(doc);
      bytes += length;
      taken++;
    }
    cursor.waiting = taken === cursor.waiting.length ? [] : cursor.waiting.slice(taken);
  }
  return { documents, isDone: false };
}

/** How a query's result is handed out. */
export type CursorOptions = {
  namespace: string;
  stage: Stage;
  collection: Collection | undefined;
  batchSize: number;
  isSingleBatch: boolean;
  neverExpires: boolean;
};

/** Answers with the first batch and keeps a cursor for the rest. */
export function* openCursor(context: CommandContext, options: CursorOptions): Generator<Pause, Reply, void> {
  const cursor: Cursor = {
    id: 0n,
    namespace: options.namespace,
    stage: options.stage,
    collection: options.collection,
    target: context.target,
    neverExpires: options.neverExpires,
    waiting: [],
    lastUsedAt: performance.now(),
  };
  const { documents, isDone } = yield* takeBatch(context, cursor, options.batchSize);
  const isOpen = !isDone && !options.isSingleBatch;
  if (isOpen) context.engine.cursors.keep(cursor);
  return { cursor: { firstBatch: documents, id: valueOf(cursor.id), ns: options.namespace } };
}
