import { defineRoute, orgId, timestamp } from '@parley/protocol';
import { z } from 'zod';
import type { Service } from '../peers.ts';

const count = z.number().int();

/** Every kind of job that a service runs. Each has a name on the page of Service health. */
export const jobKinds = [
  'send-account-mail',
  'send-mail',
  'mail-invitation',
  'ask-next',
  'run-chatbot-tests',
  'read-file',
  'read-long-file',
  'embed-file',
  'sync-connections',
  'write-export',
  'import-chats',
  'erase-chat',
  'erase-message',
  'erase-document',
  'erase-connection',
  'erase-export',
  'check-file',
  'tell-webhook',
] as const;
export type JobKind = (typeof jobKinds)[number];

/** So many parked jobs of a kind are shown; the newest. */
export const mostParkedJobs = 100;
/** So many jobs of a service that are due later are counted; those that are due first. */
export const mostLaterJobs = 1_000;

/** A job whose attempts are used up. Never its input. */
export const parkedJob = z.strictObject({
  /** Kind and key, which is the id of what the job works on. */
  id: z.string(),
  /** Class and code of the last failure. Its message stays in the service: messages quote. */
  cause: z.string().nullable(),
  attempts: count,
  at: timestamp,
  /** It belongs to no organisation, as an email about an account does. */
  isOfAll: z.boolean(),
});
export type ParkedJob = z.infer<typeof parkedJob>;

/** Jobs of one kind, of all organisations and over all processes. Only `parkedHere` and `parkedJobs` are of one organisation. */
export const jobsOfKind = z.strictObject({
  kind: z.string(),
  /** Due now. */
  waiting: count,
  running: count,
  /** Due at a later time; see `mostLaterJobs`. */
  later: count,
  /** Those of `later` whose last attempt failed. */
  retrying: count,
  parked: count,
  /** Those of `parked` that belong to the organisation, or to none. */
  parkedHere: count,
  parkedJobs: z.array(parkedJob).max(mostParkedJobs),
  /** Other organisations that have parked jobs of this kind. */
  parkedElsewhere: z.array(z.strictObject({ orgId, count })),
});
export type JobsOfKind = z.infer<typeof jobsOfKind>;

/** Some parked jobs of a kind by their ids; without ids all of them, 1,000 at a time, the oldest first. */
export const jobsToRun = z.strictObject({
  kind: z.string().min(1).max(60),
  ids: z.array(z.string().min(1).max(300)).min(1).max(mostParkedJobs).optional(),
});
export type JobsToRun = z.infer<typeof jobsToRun>;
/** How many of them run again; the others were run again before, or are cancelled. */
export const jobsRunAgain = z.strictObject({ count });

const params = z.strictObject({ orgId });

/** What a service answers about its jobs, to monitoring. */
export const jobRoutesOf = <const Name extends Service>(service: Name) => ({
  readJobs: defineRoute({
    service,
    scope: 'internal',
    route: `GET /internal/${service}/organisations/:orgId/job-health` as const,
    params,
    response: z.strictObject({ kinds: z.array(jobsOfKind) }),
  }),
  /** They are due at once and have all their attempts again. Idempotent; of the organisation and of none, never of another one. */
  runJobs: defineRoute({
    service,
    scope: 'internal',
    route: `POST /internal/${service}/organisations/:orgId/parked-jobs/run-again` as const,
    params,
    body: jobsToRun,
    response: jobsRunAgain,
  }),
});

export const { readJobs: readAuthJobs, runJobs: runAuthJobs } = jobRoutesOf('auth');
export const { readJobs: readOrgJobs, runJobs: runOrgJobs } = jobRoutesOf('org');
export const { readJobs: readChatJobs, runJobs: runChatJobs } = jobRoutesOf('chat');
export const { readJobs: readBillingJobs, runJobs: runBillingJobs } = jobRoutesOf('billing');
