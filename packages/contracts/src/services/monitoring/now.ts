import { defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { generationId, pictureId } from '../../ids.ts';
import { currency } from '../billing/rates.ts';

const count = z.number().int();

/** What happens in an organisation this second. */
export const monitoringNow = z.strictObject({
  at: timestamp,
  /** People with an open tab who did something in the last 5 minutes. */
  online: count,
  /** Answers that run or wait. */
  running: count,
  queued: count,
  /** Output of the running answers; null if chat doesn't respond. */
  tokensPerSecond: z.number().nullable(),
  /** Median time to the first word, of attempts that ended in the last 15 minutes; null if none had a word. */
  firstTokenP50Ms: z.number().nullable(),
  firstTokenP95Ms: z.number().nullable(),
  /** Attempts that failed or were interrupted in the last minute. */
  errorsPerMinute: z.number(),
  /**
   * Spend since midnight UTC, as billing adds it up, without attempts that have no price. Null if billing doesn't
   * respond.
   */
  spendToday: z.strictObject({ costMicros: count, unpricedAttempts: count, currency: currency.nullable() }).nullable(),
});
export type MonitoringNow = z.infer<typeof monitoringNow>;

/**
 * Returns the organisation's present figures for a BFF, which asks each second while one of its sockets watches the
 * organisation.
 */
export const getNow = defineRoute({
  service: 'monitoring',
  route: 'GET /internal/monitoring/organisations/:orgId/now',
  scope: 'internal',
  params: z.strictObject({ orgId }),
  response: monitoringNow,
});

/** The most answers that are listed. */
export const mostRunningAnswers = 100;

/** An answer that runs or waits, without its text. */
export const runningAnswer = z.strictObject({
  generationId,
  model: z.string(),
  /** The person who asked; null for readers without `member:read_pii`. */
  person: z.strictObject({ userId, name: z.string(), picture: pictureId.nullable() }).nullable(),
  /** `thinking`: running, but without a first word. Null if chat doesn't respond. */
  state: z.enum(['queued', 'thinking', 'writing']).nullable(),
  queuedAt: timestamp,
  /** From the question to the first word. */
  firstTokenMs: z.number().int().nullable(),
  tokensPerSecond: z.number().nullable(),
});
export type RunningAnswer = z.infer<typeof runningAnswer>;

/** Lists running answers, oldest first; `count` includes those beyond the list. */
export const listRunningAnswers = defineRoute({
  service: 'monitoring',
  route: 'GET /api/monitoring/running-answers',
  scope: 'organisation',
  permission: 'monitoring:read_org',
  cost: 'read',
  response: z.strictObject({ items: z.array(runningAnswer), count }),
});

export const nowRoutes = { getNow, listRunningAnswers };
