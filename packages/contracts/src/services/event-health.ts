import { defineRoute, orgId, timestamp } from '@parley/protocol';
import { z } from 'zod';
import type { Service } from '../peers.ts';

const count = z.number().int();

/** So many dead letters are shown; the newest. */
export const mostLetters = 100;

/** An event that a service could not handle: what and why, nothing of what it says. */
export const deadLetter = z.strictObject({
  id: z.string(),
  consumer: z.string(),
  /** Empty where the record was no event. */
  type: z.string(),
  eventId: z.string(),
  /** `failed`: retries used up. `rejected`: the handler will never take it. `malformed`: it was no event. */
  reason: z.enum(['failed', 'rejected', 'malformed']),
  /**
   * Class and code of the error and the innermost place of ours in its stack. Its message stays in the service: messages
   * quote.
   */
  cause: z.strictObject({ name: z.string(), code: z.string().nullable(), place: z.string().nullable() }),
  attempts: count,
  at: timestamp,
  /** Events of the same key that wait behind it. */
  waiting: count,
  /** Somebody asked for it to be handled again, and that goes on. */
  isRetrying: z.boolean(),
  /** It concerns no organisation, as what happens to an account does. */
  isOfAll: z.boolean(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/** What one service has to do with events. Letters and keys are those of the organisation, and of none. */
export const eventHealth = z.strictObject({
  /** Topics that it reads, and how many events of each wait, of all organisations. */
  readers: z.array(z.strictObject({ topic: z.string(), behind: count })),
  /** Events that it has recorded and not published yet, and how long the oldest waits. */
  outbox: z.strictObject({ waiting: count, oldestMs: count }),
  /** Keys whose events wait: for a retry, or behind a dead letter. */
  parkedKeys: count,
  letters: z.array(deadLetter).max(mostLetters),
  /** Of all of them. */
  letterCount: count,
});
export type EventHealth = z.infer<typeof eventHealth>;

/** What handling a dead letter again would come to. */
export const letterTrial = z.strictObject({
  id: z.string(),
  /** `gone`: it was handled meanwhile. `never`: it was no event, or nobody handles its type any more. */
  outcome: z.enum(['passes', 'fails', 'gone', 'never']),
  /** Of the failure. */
  cause: deadLetter.shape.cause.nullable(),
});
export type LetterTrial = z.infer<typeof letterTrial>;

export const letterIds = z.array(z.string().min(1).max(300)).min(1).max(mostLetters);
export const letterTrials = z.strictObject({ items: z.array(letterTrial) });
/** How many of them will be handled again; the others were handled meanwhile, or never will be. */
export const lettersAsked = z.strictObject({ count });

const params = z.strictObject({ orgId });
const body = z.strictObject({ ids: letterIds });

/** What a service that reads events answers about its own, to monitoring. */
export const eventRoutesOf = <const Name extends Service>(service: Name) => ({
  readEvents: defineRoute({
    service,
    scope: 'internal',
    route: `GET /internal/${service}/organisations/:orgId/event-health` as const,
    params,
    response: eventHealth,
  }),
  /** Their handlers run in transactions that are thrown away. */
  tryLetters: defineRoute({
    service,
    scope: 'internal',
    route: `POST /internal/${service}/organisations/:orgId/dead-letters/dry-run` as const,
    params,
    body,
    response: letterTrials,
  }),
  /** They are handled again soon, and with each all that waits behind it. Repeating is harmless. */
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
