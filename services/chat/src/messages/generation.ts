import type {
  Citation,
  ConversationId,
  GenerationFailure,
  GenerationId,
  GenerationStatus,
  MessageId,
  ModelKey,
  OrgId,
  Usage,
  UserId,
} from '@parley/contracts';

/**
 * The generation document is the queue: queued → running → done | stopped | failed | interrupted. `epoch` is the
 * fencing number of the attempt that holds the lease; `text` is its last checkpoint, `textEpoch` says of which attempt.
 */
export type Generation = {
  readonly _id: GenerationId;
  readonly orgId: OrgId;
  readonly conversationId: ConversationId;
  readonly questionId: MessageId;
  readonly answerId: MessageId;
  readonly userId: UserId;
  readonly locale: string;
  readonly modelKey: ModelKey;
  readonly modelLabel: string;
  readonly status: GenerationStatus;
  readonly epoch: number;
  /** Attempts that their worker gave back in order; absent while there is none. */
  readonly handOvers?: number;
  readonly leaseHolder: string | null;
  readonly leaseUntil: Date | null;
  readonly stopRequested: boolean;
  readonly text: string;
  readonly textEpoch: number;
  readonly citations: Citation[];
  readonly usage: Usage | null;
  readonly failure: GenerationFailure | null;
  readonly failureDetail: string | null;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly firstTokenAt: Date | null;
  readonly resumedAt: Date | null;
  readonly finishedAt: Date | null;
};

export type FinalStatus = Exclude<GenerationStatus, 'queued' | 'running'>;

/**
 * How long a lease holds; the holder renews it with each checkpoint. With the sweep that finds it, a dead worker's
 * answer is taken over, and has its first word, within 15 s.
 */
export const leaseMs = 10_000;
/** Only what has waited this long is taken by a worker that was not handed it. */
export const queueGraceMs = 500;
/**
 * One automatic restart: an answer whose worker dies twice ends as `interrupted`, with a retry. What a worker gives
 * back in order, at a rollout, costs no attempt.
 */
export const mostAttempts = 2;

/** What a worker that finds the document may do with it. */
export type Takeover = 'claim' | 'restart' | 'give-up' | 'leave';

export function takeoverOf(generation: Generation, situation: { now: Date; isLeaseVoid: boolean }): Takeover {
  if (generation.status === 'queued') return 'claim';
  if (generation.status !== 'running') return 'leave';
  const hasExpired = generation.leaseUntil === null || generation.leaseUntil <= situation.now;
  if (!hasExpired && !situation.isLeaseVoid) return 'leave';
  const lostAttempts = generation.epoch - (generation.handOvers ?? 0);
  return isGivenBack(generation) || lostAttempts < mostAttempts ? 'restart' : 'give-up';
}

/** Whether a worker that ended left it to another one. */
export const isGivenBack = ({ status, leaseHolder }: Pick<Generation, 'status' | 'leaseHolder'>): boolean =>
  status === 'running' && leaseHolder === null;

/** Four characters a token: for attempts whose provider reported nothing. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4);
