import { defineRoute, orgId, timestamp } from '@parley/protocol';
import { z } from 'zod';
import type { Service } from '../peers.ts';

const count = z.number().int();

/** The most dead letters that are shown, newest first. */
export const mostLetters = 100;

/** A dead letter: which event failed and why, without its data. */
export const deadLetter = z.strictObject({
  id: z.string(),
  consumer: z.string(),
  /** The event's type; empty if the record was no event. */
  type: z.string(),
  eventId: z.string(),
  /** `failed`: all retries failed. `rejected`: the handler will never accept it. `malformed`: it was no event. */
  reason: z.enum(['failed', 'rejected', 'malformed']),
  /**
   * Class and code of the error, and the innermost line of Parley's code in its stack. The error's message stays in the
   * service, because messages quote data.
   */
  cause: z.strictObject({ name: z.string(), code: z.string().nullable(), place: z.string().nullable() }),
  attempts: count,
  at: timestamp,
  /** Number of events of the same key that wait behind the dead letter. */
  waiting: count,
  /** True while a replay that someone asked for is under way. */
  isRetrying: z.boolean(),
  /** True if the dead letter belongs to no organisation, for example if it is about an account. */
  isOfAll: z.boolean(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/**
 * The state of event delivery in one service. Dead letters and keys include those of the organisation and those that
 * belong to none.
 */
export const eventHealth = z.strictObject({
  /** The topics that the service consumes, with the number of waiting events of all organisations. */
  readers: z.array(z.strictObject({ topic: z.string(), behind: count })),
  /** Recorded events that aren't published yet, and the age of the oldest. */
  outbox: z.strictObject({ waiting: count, oldestMs: count }),
  /**
   * Counts event keys whose events wait, for a retry or behind a dead letter: events of one key are handled in order.
   */
  parkedKeys: count,
  letters: z.array(deadLetter).max(mostLetters),
  /** Of all organisations. */
  letterCount: count,
});
export type EventHealth = z.infer<typeof eventHealth>;

/** The result of a dry run of a dead letter. */
export const letterTrial = z.strictObject({
  id: z.string(),
  /** `gone`: the dead letter was handled meanwhile. `never`: it was no event, or its type has no handler any more. */
  outcome: z.enum(['passes', 'fails', 'gone', 'never']),
  /** Of the failure. */
  cause: deadLetter.shape.cause.nullable(),
});
export type LetterTrial = z.infer<typeof letterTrial>;

export const letterIds = z.array(z.string().min(1).max(300)).min(1).max(mostLetters);
export const letterTrials = z.strictObject({ items: z.array(letterTrial) });
/**
 * Counts the dead letters that will be replayed. The other requested ones were handled meanwhile, or can never be
 * handled.
 */
export const lettersAsked = z.strictObject({ count });

const params = z.strictObject({ orgId });
const body = z.strictObject({ ids: letterIds });

/** Declares the routes by which monitoring asks a service about its events. */
export const eventRoutesOf = <const Name extends Service>(service: Name) => ({
  readEvents: defineRoute({
    service,
    scope: 'internal',
    route: `GET /internal/${service}/organisations/:orgId/event-health` as const,
    params,
    response: eventHealth,
  }),
  /** Runs the handlers of dead letters in transactions that are rolled back, to see whether a replay would succeed. */
  tryLetters: defineRoute({
    service,
    scope: 'internal',
    route: `POST /internal/${service}/organisations/:orgId/dead-letters/dry-run` as const,
    params,
    body,
    response: letterTrials,
  }),
  /** Replays dead letters soon, each followed by everything that waits behind it. Idempotent. */
  replayLetters: defineRoute({
    service,
    scope: 'internal',
    route: `POST /internal/${service}/organisations/:orgId/dead-letters/replay` as const,
    params,
    body,
    response: lettersAsked,
  }),
});

export const {
  readEvents: readAuthEvents,
  tryLetters: tryAuthLetters,
  replayLetters: replayAuthLetters,
} = eventRoutesOf('auth');
export const {
  readEvents: readOrgEvents,
  tryLetters: tryOrgLetters,
  replayLetters: replayOrgLetters,
} = eventRoutesOf('org');
export const {
  readEvents: readChatEvents,
  tryLetters: tryChatLetters,
  replayLetters: replayChatLetters,
} = eventRoutesOf('chat');
export const {
  readEvents: readBillingEvents,
  tryLetters: tryBillingLetters,
  replayLetters: replayBillingLetters,
} = eventRoutesOf('billing');
