import { z } from 'zod';
import { defineRoute } from '../http/define-route.ts';
import { timestamp } from '../http/paging.ts';

/** Counts of answer attempts of one organisation since `since`. */
export const generationCounts = z.strictObject({
  queued: z.number().int(),
  done: z.number().int(),
  stopped: z.number().int(),
  failed: z.number().int(),
  interrupted: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  since: timestamp,
});

export const getGenerationCounts = defineRoute({
  service: 'monitoring',
  route: 'GET /api/monitoring/generation-counts',
  scope: 'organisation',
  permission: 'monitoring:read_org',
  response: generationCounts,
});

export const monitoringRoutes = { getGenerationCounts };
