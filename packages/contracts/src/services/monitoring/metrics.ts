import { defineRoute, timestamp } from '@parley/protocol';
import { z } from 'zod';

/** The time that a chart covers. Its steps are minutes for an hour, hours for a day, and days for a week or a month. */
export const metricSpan = z.enum(['hour', 'day', 'week', 'month']);
export type MetricSpan = z.infer<typeof metricSpan>;
export const metricDimension = z.enum(['model', 'provider', 'chatbot']);
export type MetricDimension = z.infer<typeof metricDimension>;

/**
 * Limits the models that are counted separately in an organisation and day, and likewise providers and chatbots; the
 * rest counts as `otherId`.
 */
export const mostCountedApart = 200;
export const otherId = 'other';
/** The most lines in a chart. The table lists everything. */
export const mostSeries = 3;

const count = z.number().int();
/**
 * Figures of the attempts and embeddings that ended in a period. Percentiles come from 32 buckets, each 43 % wider than
 * the one before.
 */
export const metricFigures = z.strictObject({
  /** Attempts. An answer with a second attempt counts twice. */
  attempts: count,
  /** Attempts that failed or were interrupted. */
  failed: count,
  /** Counts attempts that a limit cut. Versions up to 0.3.0 counted them as failed. */
  cut: count,
  inputTokens: count,
  outputTokens: count,
  /** Tokens of embedded passages and questions, besides those of attempts. */
  embeddingTokens: count,
  /** Median time from the question to the first word, including the queue; null if no attempt had a word. */
  firstTokenP50Ms: z.number().nullable(),
  firstTokenP95Ms: z.number().nullable(),
});
export type MetricFigures = z.infer<typeof metricFigures>;

const compared = z.strictObject({
  /** Of all steps. */
  figures: metricFigures,
  /** `over`: the finished steps; `before`: as many steps before them. Only these two are compared. */
  over: metricFigures,
  before: metricFigures,
});

/**
 * Returns figures of an organisation's answers by model, provider or chatbot, for the last 60 minutes, 24 hours, 7 days
 * or 30 days. Includes the step that isn't over. A model is its key, a provider the requested host or `builtin`.
 * Answers from before there were chatbots belong to no chatbot, as do embedded passages.
 */
export const getMetrics = defineRoute({
  service: 'monitoring',
  route: 'GET /api/monitoring/metrics',
  scope: 'organisation',
  permission: 'monitoring:read_org',
  cost: 'report',
  query: z.strictObject({ span: metricSpan, by: metricDimension }),
  response: z.strictObject({
    step: z.enum(['minute', 'hour', 'day']),
    /** The organisation's time zone, by which days begin and end. */
    timeZone: z.string(),
    /** When each step begins, oldest first; for days their dates, such as `2026-11-21`. The last step isn't over. */
    starts: z.array(z.string()),
    all: z.array(metricFigures),
    /** The models, providers or chatbots with the most tokens, including embeddings; each with one figure per step. */
    series: z.array(z.strictObject({ id: z.string(), steps: z.array(metricFigures) })),
    /** Everything together. */
    total: compared,
    /** All models, providers or chatbots that are counted separately, most tokens first; `otherId` is the rest. */
    parts: z.array(compared.extend({ id: z.string() })),
    /** Everything that ended before this time is counted. */
    completeUntil: timestamp,
    /** When counting began; null if nothing was counted. */
    since: z.string().nullable(),
  }),
});

export const metricRoutes = { getMetrics };
