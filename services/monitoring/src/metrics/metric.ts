import {
  isCut,
  otherId,
  type generationAttemptEnded,
  type ledgerEntryAdded,
  type MetricFigures,
} from '@parley/contracts';
import type { DataOf, OrgId } from '@parley/protocol';
import { bucketCount, bucketOf, percentileOf } from './first-token-buckets.ts';

export const dimensions = ['all', 'model', 'provider', 'chatbot'] as const;
export type Dimension = (typeof dimensions)[number];
export const steps = ['minute', 'hour', 'day'] as const;
export type Step = (typeof steps)[number];

type Bucket = `first${number}`;
const buckets = Array.from({ length: bucketCount }, (_, index): Bucket => `first${index}`);
const sums = ['attempts', 'failed', 'cut', 'inputTokens', 'outputTokens', 'embeddingTokens'] as const;
/** What is added up; a field that nothing has been added to yet is absent. */
export const summedFields = [...sums, ...buckets] as const;
export type Sums = Partial<Record<(typeof summedFields)[number], number>>;

type Ended = DataOf<typeof generationAttemptEnded>;

/** What one attempt adds. A first word is as late as the question's author waited for it. */
export function sumsOf({ outcome, cause, inputTokens, outputTokens, queuedMs, firstTokenMs }: Ended): Sums {
  const hasFailed = outcome === 'failed' || outcome === 'interrupted';
  return {
    attempts: 1,
    failed: hasFailed && !isCut(cause) ? 1 : 0,
    ...(isCut(cause) && { cut: 1 }),
    inputTokens,
    outputTokens,
    ...(firstTokenMs !== null && { [buckets[bucketOf(queuedMs + firstTokenMs)]!]: 1 }),
  };
}

/** What the ledger's entry of one embedding adds: it is no attempt of an answer. */
export const sumsOfEmbedding = ({ inputTokens }: Pick<DataOf<typeof ledgerEntryAdded>, 'inputTokens'>): Sums => ({
  embeddingTokens: inputTokens,
});

export function addTo(into: Sums, added: Sums): void {
  for (const field of summedFields) if (added[field]) into[field] = (into[field] ?? 0) + added[field];
}

export function together(rows: Iterable<Sums>): Sums {
  const sum: Sums = {};
  for (const row of rows) addTo(sum, row);
  return sum;
}

export function toFigures(row: Sums): MetricFigures {
  const counts = buckets.map((bucket) => row[bucket] ?? 0);
  return {
    attempts: row.attempts ?? 0,
    failed: row.failed ?? 0,
    cut: row.cut ?? 0,
    inputTokens: row.inputTokens ?? 0,
    outputTokens: row.outputTokens ?? 0,
    embeddingTokens: row.embeddingTokens ?? 0,
    firstTokenP50Ms: percentileOf(counts, 0.5),
    firstTokenP95Ms: percentileOf(counts, 0.95),
  };
}

/** The host that was asked; the provider's id in what earlier versions told. */
export const providerOf = ({ upstream, model }: Pick<Ended, 'upstream' | 'model'>): string =>
  upstream?.host ?? (upstream === null ? 'builtin' : (model.split('/', 1)[0] ?? model));

export type Place = {
  readonly orgId: OrgId;
  readonly dimension: Dimension;
  readonly start: string;
  readonly id: string;
};
/** Names of models come last: whatever they are, they are no part of another key. */
export const metricIdOf = ({ orgId, dimension, start, id }: Place): string => `${orgId}/${dimension}/${start}/${id}`;

/** Of the models, providers or chatbots of a day: those that have a row, and others while there is room for one. */
export function countedApart(wanted: Iterable<string>, known: ReadonlySet<string>, room: number): Set<string> {
  const apart = new Set<string>();
  let left = room;
  for (const id of wanted) {
    if (id === otherId) continue;
    if (known.has(id)) apart.add(id);
    else if (left > 0) {
      apart.add(id);
      left -= 1;
    }
  }
  return apart;
}
