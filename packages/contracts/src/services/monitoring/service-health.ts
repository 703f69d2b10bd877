import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { answerSlots } from '../chat/answers/running.ts';
import { deadLetter, eventHealth, letterIds, lettersAsked, letterTrials } from '../event-health.ts';
import { jobsOfKind, jobsRunAgain, jobsToRun } from '../job-health.ts';

const count = z.number().int();
/** Services that consume events. */
export const readingServices = ['auth', 'org', 'chat', 'billing', 'monitoring'] as const;
const readingService = z.enum(readingServices);
export type ReadingService = z.infer<typeof readingService>;

/** The state of the services for one organisation: counts and times only. */
export const serviceHealth = z.strictObject({
  at: timestamp,
  organisation: z.strictObject({ id: orgId, name: z.string() }),
  /** The response of each service; null if it doesn't respond. */
  services: z.array(
    z.strictObject({
      service: readingService,
      events: eventHealth.pick({ readers: true, outbox: true, parkedKeys: true, letterCount: true }).nullable(),
      jobs: z.array(jobsOfKind.omit({ parkedElsewhere: true })).nullable(),
    }),
  ),
  /** Other organisations with parked jobs, most jobs first. */
  parkedElsewhere: z.array(z.strictObject({ id: orgId, name: z.string(), count })),
  running: count,
  queued: count,
  /**
   * The slots for answers if the installation has only one organisation; null if it has several, or if chat doesn't
   * respond.
   */
  slotsOfOnly: answerSlots.nullable(),
  /** Number of connected tabs. */
  sockets: count,
  /**
   * Attempts that ended in the last hour, by provider. `failed` counts those that failed or were interrupted, `cut` those
   * that a limit cut, which is no error of the provider.
   */
  providers: z.array(z.strictObject({ id: z.string(), attempts: count, failed: count, cut: count })),
  /** The newest dead letters of all services that responded. */
  letters: z.array(deadLetter.extend({ service: readingService })),
});
export type ServiceHealth = z.infer<typeof serviceHealth>;
export type ServiceLetter = ServiceHealth['letters'][number];

const platform = { service: 'monitoring', scope: 'platform' } as const;
const params = z.strictObject({ orgId });
const body = z.strictObject({ service: readingService, ids: letterIds });

/** 404 `org.organisation-not-found`. */
export const getServiceHealth = defineRoute({
  ...platform,
  route: 'GET /api/monitoring/all-organisations/:orgId/service-health',
  cost: 'report',
  params,
  response: serviceHealth,
});

/** Runs the handlers of one service's dead letters in transactions that are rolled back. */
export const tryDeadLetters = defineRoute({
  ...platform,
  route: 'POST /api/monitoring/all-organisations/:orgId/dead-letters/dry-run',
  cost: 'report',
  params,
  body,
  response: letterTrials,
});

/**
 * Replays dead letters soon, in order, with the events that wait behind them. The organisation's audit log says who
 * asked.
 */
export const replayDeadLetters = defineRoute({
  ...platform,
  route: 'POST /api/monitoring/all-organisations/:orgId/dead-letters/replay',
  cost: 'bulk',
  status: 202,
  params,
  body,
  response: lettersAsked,
});

/** A platform admin replayed dead letters. */
export const lettersReplayed = defineEvent('letters.replayed.v1', 'monitoring', {
  data: z.object({ orgId, by: userId, service: readingService, ids: letterIds }),
  key: 'orgId',
  live: null,
  audit: ({ orgId: id, by, service, ids }) => ({
    act: 'events.replayed',
    by,
    target: { of: 'organisation', id, name: null },
    changes: changesBetween(null, { service: auditValues.code(service), eventCount: auditValues.count(ids.length) }),
  }),
});

/**
 * Runs parked jobs of one kind again: those of the organisation and those that belong to none. The organisation's audit
 * log says who asked. Idempotent: jobs that were run again, are cancelled or belong to another organisation don't
 * count.
 */
export const runParkedJobs = defineRoute({
  ...platform,
  route: 'POST /api/monitoring/all-organisations/:orgId/parked-jobs/run-again',
  cost: 'bulk',
  status: 202,
  params,
  body: jobsToRun.extend({ service: readingService }),
  response: jobsRunAgain,
});

/** A platform admin ran parked jobs of one kind again. */
export const jobsRestarted = defineEvent('jobs.restarted.v1', 'monitoring', {
  data: z.object({ orgId, by: userId, service: readingService, kind: z.string(), jobCount: count }),
  key: 'orgId',
  live: null,
  audit: ({ orgId: id, by, service, jobCount }) => ({
    act: 'jobs.restarted',
    by,
    target: { of: 'organisation', id, name: null },
    changes: changesBetween(null, { service: auditValues.code(service), jobCount: auditValues.count(jobCount) }),
  }),
});

/**
 * Returns the slots for answers if the installation has only one organisation, which can raise its own slots; else
 * null.
 */
export const getSlotsOfOnly = defineRoute({
  service: 'monitoring',
  scope: 'internal',
  route: 'GET /internal/monitoring/answer-slots',
  response: z.strictObject({ slots: answerSlots.nullable() }),
});

export const serviceHealthRoutes = {
  getServiceHealth,
  tryDeadLetters,
  replayDeadLetters,
  runParkedJobs,
  getSlotsOfOnly,
};
