import { defineRoute, orgId, timestamp } from '@parley/protocol';
import { z } from 'zod';
import type { Service } from '../peers.ts';

const count = z.number().int();

/** Lists every kind of job that a service runs. Each has a name on the Service health page. */
export const jobKinds = [
  'send-account-mail',
  'send-mail',
  'mail-invitation',
  'ask-next',
  'run-chatbot-tests',
  'read-file',
  'read-long-file',
  'embed-file',
  'embed-passages',
  'fill-search-keys',
  'sync-connections',
  'write-export',
  'import-chats',
  'delete-imported-chats',
  'move-project-chats',
  'erase-chat',
  'erase-message',
  'erase-project',
  'erase-document',
  'erase-connection',
  'erase-export',
  'check-file',
  'tell-webhook',
] as const;
export type JobKind = (typeof jobKinds)[number];

/** Limits the parked jobs of a kind that are listed, the newest ones. */
export const mostParkedJobs = 100;
/** Limits the parked jobs that one request runs again. */
export const mostRunAgain = 1_000;
/** Limits the scheduled jobs of a service that are counted, beginning with those due first. */
export const mostLaterJobs = 1_000;

/** Describes a job whose attempts are used up, without its input. */
export const parkedJob = z.strictObject({
  /** The job's kind and key, such as `erase-document/doc_…`. */
  id: z.string(),
  /** Holds class and code of the last failure. The error's message stays in the service, since messages quote data. */
  cause: z.string().nullable(),
  attempts: count,
  at: timestamp,
  /** True if the job belongs to no organisation, as an email about an account does. */
  isOfAll: z.boolean(),
});
export type ParkedJob = z.infer<typeof parkedJob>;

/**
 * Counts the jobs of one kind in all organisations and processes. `parkedHere` and `parkedJobs` cover one organisation,
 * and jobs without any.
 */
export const jobsOfKind = z.strictObject({
  kind: z.string(),
  /** Due now. */
  waiting: count,
  running: count,
  /** Counts jobs that are due at a later time; see `mostLaterJobs`. */
  later: count,
  /** Counts the jobs in `later` whose last attempt failed. */
  retrying: count,
  parked: count,
  /** Counts those of `parked` that belong to the organisation or to none. */
  parkedHere: count,
  parkedJobs: z.array(parkedJob).max(mostParkedJobs),
  /** Names other organisations that have parked jobs of this kind. */
  parkedElsewhere: z.array(z.strictObject({ orgId, count })),
});
export type JobsOfKind = z.infer<typeof jobsOfKind>;

/**
 * Chooses parked jobs of a kind by their ids; without ids all parked jobs, at most `mostRunAgain` at a time, oldest
 * first.
 */
export const jobsToRun = z.strictObject({
  kind: z.string().min(1).max(60),
  ids: z.array(z.string().min(1).max(300)).min(1).max(mostParkedJobs).optional(),
});
export type JobsToRun = z.infer<typeof jobsToRun>;
/** Counts the chosen jobs that run again. The others were run again before, or are cancelled. */
export const jobsRunAgain = z.strictObject({ count });

const params = z.strictObject({ orgId });

/** Declares the routes by which monitoring asks a service about its jobs. */
export const jobRoutesOf = <const Name extends Service>(service: Name) => ({
  readJobs: defineRoute({
    service,
    scope: 'internal',
    route: `GET /internal/${service}/organisations/:orgId/job-health` as const,
    params,
    response: z.strictObject({ kinds: z.array(jobsOfKind) }),
  }),
  /**
   * Makes the chosen jobs due immediately and gives them all their attempts again. Idempotent. Jobs of other
   * organisations stay parked.
   */
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
