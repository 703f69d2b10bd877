import type { Deployable } from '@parley/contracts';
import type { Mongo } from '@parley/platform/mongo';
import type { Evidence } from './evidence.ts';
import type { Mutant } from './mutants.ts';
import type { MockProvider } from './provider.ts';

export type EditionOptions = {
  readonly evidence: Evidence;
  readonly provider: MockProvider;
  readonly providerAddress: string;
  readonly mutant: Mutant | null;
  /** So many times what an ordinary run kills: a soak. */
  readonly times: number;
  /** What it has written stays when it is closed. */
  readonly isKept: boolean;
};

/**
 * What the run needs of an edition: to be started, killed while people are at work, looked into, and judged for having
 * been killed enough.
 */
export type Edition = {
  readonly name: 'embedded' | 'distributed';
  readonly url: string;
  /** How long people think before the next question in a conversation with short answers. */
  readonly thinkMs: { readonly least: number; readonly most: number };
  /** Resolves when people can use it. */
  start(): Promise<void>;
  /** Reads a service's database when all else is judged: it may stop the product for it, gracefully. */
  inStore<Result>(deployable: Deployable, use: (connection: Mongo['connection']) => Promise<Result>): Promise<Result>;
  /** Everything that was planned, while people are at work. Throws when a process ends by itself. */
  carryOutKills(): Promise<void>;
  /** While nobody asks anything. Resolves when people can use it again. */
  killAtRest(): Promise<void>;
  /** Lines for the report. */
  report(): string[];
  /** Lists what the run should have seen on any machine and has not. It fails the run. */
  shortcomings(): string[];
  /** Lists the waits that were too long. They depend on the machine, so they don't fail the run. */
  missedTimes(): string[];
  close(): Promise<void>;
};
