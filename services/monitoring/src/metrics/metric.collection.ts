import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';
import { dimensions, summedFields, type Step, type Sums } from './metric.ts';

const hourMs = 3_600_000;
/** How long rows are kept; days for good. What is counted later than that, as when all is told again, makes none. */
export const keptMs: Partial<Record<Step, number>> = { minute: 24 * hourMs, hour: 7 * 24 * hourMs };

const sums = Object.fromEntries(summedFields.map((field) => [field, z.number()])) as {
  [Field in keyof Required<Sums>]: z.ZodNumber;
};

/** What ended in one minute, hour or day: of everything, of a model, of a provider or of a chatbot. See `metricIdOf`. */
const metricRowsOf = (step: Step) =>
  collection(
    `metrics_${step}`,
    {
      _id: z.string(),
      orgId,
      dimension: z.enum(dimensions),
      /** As `startOf` names it. */
      start: z.string(),
      /** `all`, the model's key, the provider's host or the chatbot's id. */
      id: z.string(),
      /** Of the latest attempt or embedding in it. */
      at: z.date(),
      ...sums,
    },
    {
      tenant: { organisation: 'orgId' },
      indexes: [
        { orgId: 1, dimension: 1, start: 1 },
        ...(keptMs[step] === undefined ? [] : [[{ at: 1 }, { expireAfterSeconds: keptMs[step] / 1_000 }] as const]),
      ],
    },
  );

export const metricRows = { minute: metricRowsOf('minute'), hour: metricRowsOf('hour'), day: metricRowsOf('day') };
export type MetricRow = Omit<RowOf<(typeof metricRows)[Step]>, keyof Sums> & Sums;
