import type { Args } from '../commands/args.ts';
import type { Encodable } from '../bson/write.ts';
import type { Catalog, Collection } from '../storage/catalog.ts';
import { unguarded, type QueryGuard } from '../query/guard.ts';
import type { Store } from '../storage/store.ts';
import type { Target } from '../storage/target.ts';
import { Transaction } from '../storage/transaction.ts';
import type { Cursors } from './cursors.ts';
import type { Pause, Slice } from './executor.ts';
import type { HoldLog } from './hold-log.ts';
import type { FailPoints } from './fail-points.ts';
import type { Session, Sessions } from './sessions.ts';

/** What lives as long as the server. */
export type Engine = {
  store: Store;
  cursors: Cursors;
  sessions: Sessions;
  slice: Slice;
  holds: HoldLog;
  failPoints: FailPoints | undefined;
  guard: QueryGuard;
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
  /** Documents that it has written so far. */
  written: number;
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
export function guardOf(context: CommandContext): QueryGuard {
  return ['admin', 'config', 'local'].includes(context.database) ? unguarded : context.engine.guard;
}

export function catalogOf(context: CommandContext): Catalog {
  return context.engine.store.catalog;
}

/** The collection that a command names, or undefined if it doesn't exist. */
export function collectionOf(context: CommandContext): Collection | undefined {
  const name = context.args.string(context.args.name);
  return name === undefined ? undefined : findCollection(context, name);
}

/** A collection as the command sees it: a transaction also sees those that it has made. */
export function findCollection(context: CommandContext, name: string): Collection | undefined {
  const { target } = context;
  const created = target instanceof Transaction ? target.findCreated(context.database, name) : undefined;
  return created ?? catalogOf(context).find(context.database, name);
}
