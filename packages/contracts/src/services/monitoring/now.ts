import { defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { generationId, pictureId } from '../../ids.ts';
import { currency } from '../billing/rates.ts';

const count = z.number().int();

/** What happens in an organisation this second. */
export const monitoringNow = z.strictObject({
  at: timestamp,
  /** People who did something in the last 5 minutes and have a tab open. */
  online: count,
  /** Answers that are being written, and those that wait for it. */
  running: count,
  queued: count,
  /** Of the answers that are being written; null while chat does not tell. */
  tokensPerSecond: z.number().nullable(),
  /** Of attempts that ended in the last 15 minutes; null where none had a word. */
  firstTokenP50Ms: z.number().nullable(),
  firstTokenP95Ms: z.number().nullable(),
  /** Attempts that failed or were interrupted in the last minute. */
  errorsPerMinute: z.number(),
  /**
   * Since midnight UTC, as billing adds it up; attempts without a price are not in it. Null while billing does not tell.
   */
  spendToday: z.strictObject({ costMicros: count, unpricedAttempts: count, currency: currency.nullable() }).nullable(),
});
export type MonitoringNow = z.infer<typeof monitoringNow>;

/** Asked by a BFF each second while one of its sockets watches. */
export const getNow = defineRoute({
  service: 'monitoring',
  route: 'GET /internal/monitoring/organisations/:orgId/now',
  scope: 'internal',
  params: z.strictObject({ orgId }),
  response: monitoringNow,
});

/** So many are listed. */
export const mostRunningAnswers = 100;

/** An answer that is being written, or waits for it; nothing of what it says. */
export const runningAnswer = z.strictObject({
  generationId,
  model: z.string(),
  /** Who asked; null for whoever may not see who is active (`member:read_pii`). */
  person: z.strictObject({ userId, name: z.string(), picture: pictureId.nullable() }).nullable(),
  /** Thinking is running without a first word yet. Null while chat does not tell. */
  state: z.enum(['queued', 'thinking', 'writing']).nullable(),
  queuedAt: timestamp,
  /** From the question to the first word. */
  firstTokenMs: z.number().int().nullable(),
  tokensPerSecond: z.number().nullable(),
});
export type RunningAnswer = z.infer<typeof runningAnswer>;

/** Oldest first; `count` is of all. */
export const listRunningAnswers = defineRoute({
  service: 'monitoring',
  route: 'GET /api/monitoring/running-answers',
  scope: 'organisation',
  permission: 'monitoring:read_org',
  cost: 'read',
  response: z.strictObject({ items: z.array(runningAnswer), count }),
});

export const nowRoutes = { getNow, listRunningAnswers };
