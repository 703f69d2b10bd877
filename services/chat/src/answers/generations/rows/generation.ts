import type { GenerationFailure, GenerationStatus, Usage } from '@parley/contracts';
import { kindOf } from './ask.ts';
import type { Attempt, Generation } from './generation.collection.ts';

export type FinalStatus = Exclude<GenerationStatus, 'queued' | 'running'>;

/**
 * The knowledge of this process about the holder of a lease and one answer. `alive`: the holder works on the answer.
 * `dead`: the holder's process gives no sign of life, or lives without this answer. `unknown`: anything else, also
 * while `Kv` is unavailable.
 */
export type Sign = 'alive' | 'dead' | 'unknown';
/**
 * The time that a lease is valid; the holder renews it every two seconds. A sweep finds the expired lease of a dead worker,
 * and the answer has its first word again within 15 s.
 */
export const leaseMs = 10_000;
/**
 * The time in ms that workers respect an expired lease, by the state of its holder. A holder of unknown state may be
 * waiting for a slow store. A living holder that hasn't reached the store for minutes, though others do, is cut off
 * from it.
 */
const respectedMs: Record<Sign, number> = { dead: 0, unknown: 60_000, alive: 300_000 };
/**
 * The most attempts at an answer: one automatic restart. If two workers die with the answer, it ends as `interrupted`,
 * and people can retry. An answer that a stopping worker gives back, as at a rollout, costs no attempt.
 */
export const mostAttempts = 2;

/** The possible actions of a worker on an answer that it finds. */
export type Takeover = 'claim' | 'restart' | 'give-up' | 'leave';

export type Situation = {
  readonly now: Date;
  /** True if the holder is an earlier process of an installation that runs only one, so that its lease is void. */
  readonly isLeaseVoid: boolean;
  readonly sign: Sign;
  /** The time in ms since the lease expired, as far as this process knows. */
  readonly lateForMs: number;
};

export function takeoverOf(generation: Generation, situation: Situation): Takeover {
  if (generation.status === 'queued') return 'claim';
  if (generation.status !== 'running') return 'leave';
  if (!situation.isLeaseVoid && !isAbandoned(generation, situation)) return 'leave';
  // End the answer without a restart: the calling program has received words of this attempt, or is gone with its
  // process, so it can't use another text.
  if (kindOf(generation) === 'completion') return 'give-up';
  const lostAttempts = generation.epoch - (generation.handOvers ?? 0);
  return isGivenBack(generation) || lostAttempts < mostAttempts ? 'restart' : 'give-up';
}

function isAbandoned(generation: Generation, { now, sign, lateForMs }: Situation): boolean {
  const hasExpired = generation.leaseUntil === null || generation.leaseUntil <= now;
  return hasExpired && (isGivenBack(generation) || lateForMs >= respectedMs[sign]);
}

/** Returns true if each of a question's answers was refused before a model was asked. */
export const isUnsent = (answers: readonly Pick<Generation, 'failure' | 'text'>[]): boolean =>
  answers.length > 0 && answers.every(({ failure, text }) => failure === 'budget-spent' && text === '');

/** Returns whether a worker gave the answer back when it stopped, so that another can continue. */
export const isGivenBack = ({ status, leaseHolder }: Pick<Generation, 'status' | 'leaseHolder'>): boolean =>
  status === 'running' && leaseHolder === null;

const charactersOfToken = 4;
/** Estimates tokens at four characters each, for attempts without usage from their provider. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / charactersOfToken);
export const charactersOf = (tokens: number): number => tokens * charactersOfToken;

/**
 * Returns whether the model wasn't asked: a budget refused the answer, or Parley couldn't find out if there is budget.
 */
export const isRefusal = (failure: GenerationFailure | null): boolean =>
  failure === 'budget-spent' || failure === 'budget-unavailable';

type AttemptEnd = {
  readonly outcome: FinalStatus;
  readonly failure?: GenerationFailure | null;
  readonly isFinal: boolean;
  readonly usage: Usage;
  readonly now: Date;
};

/** Returns the record of an attempt that ends now; the record is also published. */
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
