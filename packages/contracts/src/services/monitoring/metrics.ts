import { defineRoute, timestamp } from '@parley/protocol';
import { z } from 'zod';

/** By minutes, by hours, by days, and by days. */
export const metricSpan = z.enum(['hour', 'day', 'week', 'month']);
export type MetricSpan = z.infer<typeof metricSpan>;
export const metricDimension = z.enum(['model', 'provider', 'chatbot']);
export type MetricDimension = z.infer<typeof metricDimension>;

/** So many models, and as many providers and chatbots, of an organisation are counted apart on a day; the rest as `otherId`. */
export const mostCountedApart = 200;
export const otherId = 'other';
/** So many have a line of their own in a chart; all of them are in the table. */
export const mostSeries = 3;

const count = z.number().int();
/** What ended in a time. Percentiles are read from 32 buckets, each 43 % wider than the one before. */
export const metricFigures = z.strictObject({
  /** Attempts, an answer that was begun again counts as two. */
  attempts: count,
  /** Of these, how many failed or were interrupted. */
  failed: count,
  /** Counts attempts that a limit cut. Versions up to 0.3.0 counted them as failed. */
  cut: count,
  inputTokens: count,
  outputTokens: count,
  /** What was read for vectors of passages and questions: tokens of no attempt, beside the others. */
  embeddingTokens: count,
  /** From the question to the first word, also in the queue; null where none had a word. */
  firstTokenP50Ms: z.number().nullable(),
  firstTokenP95Ms: z.number().nullable(),
});
export type MetricFigures = z.infer<typeof metricFigures>;

const compared = z.strictObject({
  /** Of all steps. */
  figures: metricFigures,
  /** Of the steps that are over, and of as many before them: only these two are compared. */
  over: metricFigures,
  before: metricFigures,
});

/**
 * What an organisation's answers were, by model, by provider or by chatbot: of the last 60 minutes, 24 hours, 7 days or 30 days, the
 * one that is running included. A model is its key, a provider the host that was asked or `builtin`;
 * what ended before there were chatbots is by none of them, nor are passages that got their vectors.
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
    /** In which days begin: the organisation's. */
    timeZone: z.string(),
    /** When each step begins, oldest first; of days their dates, as `2026-11-21`. The last one is running. */
    starts: z.array(z.string()),
    all: z.array(metricFigures),
    /** Of those with the most tokens, embeddings' included; as many figures as there are steps. */
    series: z.array(z.strictObject({ id: z.string(), steps: z.array(metricFigures) })),
    /** Everything together. */
    total: compared,
    /** Everything counted apart, the most tokens first; `otherId` stands for all that was not. */
    parts: z.array(compared.extend({ id: z.string() })),
    /** All that ended before is counted. */
    completeUntil: timestamp,
    /** Since when anything is counted; null where nothing is. */
    since: z.string().nullable(),
  }),
});

export const metricRoutes = { getMetrics };
