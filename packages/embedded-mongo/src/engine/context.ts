import type { Args } from '../commands/args.ts';
import type { Encodable } from '../bson/write.ts';
import type { Catalog, Collection } from '../storage/catalog.ts';
import type { Store } from '../storage/store.ts';
import type { Target } from '../storage/target.ts';
import type { Cursors } from './cursors.ts';
import type { Pause, Slice } from './executor.ts';
import type { FailPoints } from './fail-points.ts';
import type { Session, Sessions } from './sessions.ts';

/** What lives as long as the server. */
export type Engine = {
  store: Store;
  cursors: Cursors;
  sessions: Sessions;
  slice: Slice;
  failPoints: FailPoints | undefined;
  maxExamined: number;
};

/** One command at work. */
export type CommandContext = {
  engine: Engine;
  database: string;
  args: Args;
  /** The committed state or the session's transaction. */
  target: Target;
  session: Session | undefined;
  isInTransaction: boolean;
  txnNumber: number | undefined;
  /** Whether the command runs where the store may be written. */
  isWriting: boolean;
};

export type Reply = { [name: string]: Encodable };
export type CommandRun = Generator<Pause, Reply, void>;

/** A command of the contract. */
export type Command = {
  /** Arguments besides the generic ones. */
  fields: readonly string[];
  /** Runs in the writing part of a turn. */
  isWrite?: boolean;
  isAllowedInTransaction?: boolean;
  /** Numbered runs are answered again instead of being repeated. */
  isRetryable?: boolean;
  run(context: CommandContext): CommandRun;
};

/** Queries on databases of the server itself aren't guarded. */
export function maxExaminedOf(context: CommandContext): number {
  return ['admin', 'config', 'local'].includes(context.database) ? Number.POSITIVE_INFINITY : context.engine.maxExamined;
}

export function catalogOf(context: CommandContext): Catalog {
  return context.engine.store.catalog;
}

/** The collection that a command names, or undefined if it doesn't exist. */
export function collectionOf(context: CommandContext): Collection | undefined {
  const name = context.args.string(context.args.name);
  return name === undefined ? undefined : catalogOf(context).find(context.database, name);
}

/** Steps into the writing part of a turn. */
export function* writing(context: CommandContext): Generator<Pause, void, void> {
  if (!context.isWriting) yield 'write';
  context.isWriting = true;
}

/** Lets others run when the slice is used up. */
export function* breathe(context: CommandContext): Generator<Pause, void, void> {
  if (context.engine.slice.isOver) yield 'later';
}
