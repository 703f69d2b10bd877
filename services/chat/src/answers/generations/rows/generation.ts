import type { GenerationFailure, GenerationStatus, Usage } from '@parley/contracts';
import { kindOf } from './ask.ts';
import type { Attempt, Generation } from './generation.collection.ts';

export type FinalStatus = Exclude<GenerationStatus, 'queued' | 'running'>;

/**
 * What is known of a holder and one answer. `alive`: it has the answer in hand. `dead`: a process without a sign of
 * life, or one that lives without this answer. Anything else, also while `Kv` is unavailable, is `unknown`.
 */
export type Sign = 'alive' | 'dead' | 'unknown';
/**
 * How long a lease holds; the holder renews it every two seconds. With the sweep that finds it, a dead worker's answer
 * is taken over, and has its first word, within 15 s.
 */
export const leaseMs = 10_000;
/**
 * How long an ended lease is respected. If nobody can tell whether the holder lives, it can be waiting for a slow
 * store. One that lives and hasn't reached the store for minutes, though others do, is cut off from it.
 */
const respectedMs: Record<Sign, number> = { dead: 0, unknown: 60_000, alive: 300_000 };
/**
 * One automatic restart: an answer whose worker dies twice ends as `interrupted`, with a retry. What a worker gives
 * back in order, at a rollout, costs no attempt.
 */
export const mostAttempts = 2;

/** What a worker that finds the document can do with it. */
export type Takeover = 'claim' | 'restart' | 'give-up' | 'leave';

export type Situation = {
  readonly now: Date;
  /** The holder is an earlier process of an installation with one process. */
  readonly isLeaseVoid: boolean;
  readonly sign: Sign;
  /** How long the lease has been over, as far as this process knows. */
  readonly lateForMs: number;
};

export function takeoverOf(generation: Generation, situation: Situation): Takeover {
  if (generation.status === 'queued') return 'claim';
  if (generation.status !== 'running') return 'leave';
  if (!situation.isLeaseVoid && !isAbandoned(generation, situation)) return 'leave';
  // The caller has had words of it, or is gone with its process: nobody could use another text.
  if (kindOf(generation) === 'completion') return 'give-up';
  const lostAttempts = generation.epoch - (generation.handOvers ?? 0);
  return isGivenBack(generation) || lostAttempts < mostAttempts ? 'restart' : 'give-up';
}

function isAbandoned(generation: Generation, { now, sign, lateForMs }: Situation): boolean {
  const hasExpired = generation.leaseUntil === null || generation.leaseUntil <= now;
  return hasExpired && (isGivenBack(generation) || lateForMs >= respectedMs[sign]);
}

/** Returns whether a question was refused each time before a model was asked, by its answers. */
export const isUnsent = (answers: readonly Pick<Generation, 'failure' | 'text'>[]): boolean =>
  answers.length > 0 && answers.every(({ failure, text }) => failure === 'budget-spent' && text === '');

/** Returns whether a worker that ended left it to another one. */
export const isGivenBack = ({ status, leaseHolder }: Pick<Generation, 'status' | 'leaseHolder'>): boolean =>
  status === 'running' && leaseHolder === null;

const charactersOfToken = 4;
/** Four characters a token, for attempts whose provider reported nothing. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / charactersOfToken);
export const charactersOf = (tokens: number): number => tokens * charactersOfToken;

/** Returns whether the model wasn't asked: a budget refused the answer, or nobody could say whether there is one. */
export const isRefusal = (failure: GenerationFailure | null): boolean =>
  failure === 'budget-spent' || failure === 'budget-unavailable';

type AttemptEnd = {
  readonly outcome: FinalStatus;
  readonly failure?: GenerationFailure | null;
  readonly isFinal: boolean;
  readonly usage: Usage;
  readonly now: Date;
};

/** Returns the record of an attempt that ends now, which is also published. */
export function endedAttempt(
  generation: Generation,
  { outcome, failure = null, isFinal, usage, now }: AttemptEnd,
): Attempt {
  const { epoch, queuedAt, startedAt, firstTokenAt } = generation;
  const since = (moment: Date): number => Math.max(0, moment.getTime() - (startedAt ?? queuedAt).getTime());
  return {
    attempt: epoch,
    outcome,
    final: isFinal,
    ...(isRefusal(failure) && { isRefused: true }),
    ...(failure && { cause: failure }),
    ...usage,
    queuedMs: Math.max(0, (startedAt ?? now).getTime() - queuedAt.getTime()),
    firstTokenMs: firstTokenAt && since(firstTokenAt),
    durationMs: since(now),
    at: now,
  };
}
