import { Injectable } from '@nestjs/common';
import type { GenerationFailure } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { randomUUID } from 'node:crypto';
import { NoBudget } from '../budgets/index.ts';
import { EmbeddingModels, mayHaveUsed, ModelFailure, type EmbeddingModel } from '../models/index.ts';
import { mostVectorBytes, PassageVectors, type Unvectored } from '../retrieval/index.ts';
import { EmbeddingCalls, estimatedTokens, mayBeUsed, nobody, usedOf, type EmbeddingCall } from './embedding-calls.ts';
import type { EmbeddingRow } from './embedding.collection.ts';
import { EmbeddingsRepository } from './embeddings.repository.ts';

/** Longer than a step can take: five seconds for billing, and what the model may take. */
const leaseMs = 30_000;
const budgetMs = 5_000;
/** What billing holds is held for 15 s. */
const modelMs = 12_000;
export const passagesPerBatch = 64;
/** What the model is given of a passage; few are longer, and most models read no more. */
export const passageCharacters = 2_000;
/** So soon is what is indexed later given its vectors. */
const idleMs = 5_000;
const longestPauseMs = 60_000;
const embedding = job('gives passages their vectors');

type Held = Pick<EmbeddingRow, 'leaseHolder'>;
type Failed = {
  readonly row: EmbeddingRow;
  readonly call: EmbeddingCall;
  readonly texts: readonly string[];
  readonly error: unknown;
  /** The process is ending. */
  readonly isEnding: boolean;
};

/** One step of one organisation: the next passages get their vectors, or some of another model go. */
@Injectable()
export class EmbeddingStep {
  constructor(
    private readonly embeddings: EmbeddingsRepository,
    private readonly models: EmbeddingModels,
    private readonly vectors: PassageVectors,
    private readonly calls: EmbeddingCalls,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Does nothing where another worker has it, or its time has not come. */
  async run(scope: OrganisationScope, ending: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const lease = { holder: randomUUID(), until: new Date(now.getTime() + leaseMs), now };
    const claimed = await this.embeddings.claim(scope, lease);
    const row = claimed && (await this.settled(scope, claimed));
    if (!row) return;
    const model = await this.models.of(scope, 'passages');
    if (row.of !== (model?.key ?? null)) await this.change(scope, row, model);
    else if (row.isForgetting) await this.forget(scope, row);
    else if (model) await this.embed(scope, { row, model, ending });
    else await this.rest(scope, row, { isFull: false });
  }

  /** A worker died while it asked: the model may have answered. */
  private async settled(scope: OrganisationScope, row: EmbeddingRow): Promise<EmbeddingRow | null> {
    const { asking } = row;
    if (!asking) return row;
    const { id, model: key, upstream, inputTokens } = asking;
    const call: EmbeddingCall = { id, purpose: 'passages', asker: nobody, model: { key, upstream } };
    return this.work.run(embedding, async (tx) => {
      const kept = await this.embeddings.keep(scope, row, { asking: null }, tx);
      if (kept) this.calls.record(tx, scope, call, mayBeUsed(inputTokens));
      return kept;
    });
  }

  /** All that there is was made by another model: it goes first. */
  private async change(scope: OrganisationScope, row: Held, model: EmbeddingModel | null): Promise<void> {
    const begun = { failures: 0, failure: null, isFull: false, dimensions: null, nextAt: this.clock.now() };
    await this.embeddings.release(scope, row, { of: model?.key ?? null, isForgetting: true, ...begun });
  }

  private async forget(scope: OrganisationScope, row: Held): Promise<void> {
    await this.work.run(embedding, async (tx) => {
      const isForgetting = await this.vectors.forget(scope, tx);
      await this.embeddings.release(scope, row, { isForgetting, nextAt: this.clock.now() }, tx);
    });
  }

  private async embed(
    scope: OrganisationScope,
    {
      row,
      model,
      ending,
    }: { readonly row: EmbeddingRow; readonly model: EmbeddingModel; readonly ending: AbortSignal },
  ): Promise<void> {
    const passages = await this.vectors.waiting(scope, passagesPerBatch);
    const isFull = passages.length > 0 && (await this.isFull(scope, row, passages.length));
    if (passages.length === 0 || isFull) return this.rest(scope, row, { isFull });
    const texts = passages.map(textOf);
    const call: EmbeddingCall = { id: newId('embedding'), purpose: 'passages', asker: nobody, model };
    try {
      await this.calls.hold(scope, call, { texts, withinMs: budgetMs });
      const asking = { id: call.id, model: model.key, upstream: model.upstream, inputTokens: estimatedTokens(texts) };
      if (!(await this.embeddings.keep(scope, row, { asking }))) return;
      const signal = AbortSignal.any([ending, AbortSignal.timeout(modelMs)]);
      const { vectors, inputTokens } = await model.embed(texts, signal);
      await this.store(scope, { row, call, passages, vectors, used: usedOf(inputTokens, texts) });
    } catch (error) {
      await this.fail(scope, { row, call, texts, error, isEnding: ending.aborted });
    }
  }

  private async isFull(scope: OrganisationScope, { of, dimensions }: EmbeddingRow, more: number): Promise<boolean> {
    if (of === null || dimensions === null) return false;
    return ((await this.vectors.stored(scope, of)) + more) * dimensions > mostVectorBytes;
  }

  /** Until something is indexed. */
  private async rest(scope: OrganisationScope, row: Held, { isFull }: { readonly isFull: boolean }): Promise<void> {
    const nextAt = new Date(this.clock.now().getTime() + idleMs);
    await this.embeddings.release(scope, row, { failures: 0, failure: null, isFull, nextAt });
  }

  private async store(
    scope: OrganisationScope,
    batch: {
      readonly row: EmbeddingRow;
      readonly call: EmbeddingCall;
      readonly passages: readonly Unvectored[];
      readonly vectors: readonly (readonly number[])[];
      readonly used: ReturnType<typeof usedOf>;
    },
  ): Promise<void> {
    const { row, call, passages, vectors, used } = batch;
    const dimensions = vectors[0]!.length;
    const isOther = row.dimensions !== null && row.dimensions !== dimensions;
    const revision = row.revision + (isOther ? 0 : 1);
    await this.work.run(embedding, async (tx) => {
      const next = isOther ? this.failing(row, 'provider-error') : { dimensions, revision, failures: 0, failure: null };
      const set = { nextAt: this.clock.now(), ...next, asking: null, isFull: false };
      if (!(await this.embeddings.release(scope, row, set, tx))) return;
      this.calls.record(tx, scope, call, used);
      if (!isOther) await this.vectors.store(scope, { of: call.model.key, revision, passages, vectors }, tx);
    });
  }

  private async fail(scope: OrganisationScope, { row, call, texts, error, isEnding }: Failed): Promise<void> {
    const isKnown = error instanceof ModelFailure || error instanceof NoBudget;
    const failing = this.failing(row, isKnown ? error.reason : 'internal');
    const next = isEnding ? { nextAt: this.clock.now() } : failing;
    await this.work.run(embedding, async (tx) => {
      if (!(await this.embeddings.release(scope, row, { ...next, asking: null }, tx))) return;
      if (isEnding || mayHaveUsed(error)) this.calls.record(tx, scope, call, mayBeUsed(estimatedTokens(texts)));
    });
    if (!isKnown) throw error;
  }

  /** The pause doubles, to a minute. */
  private failing({ failures }: EmbeddingRow, failure: GenerationFailure) {
    const pauseMs = Math.min(1_000 * 2 ** Math.min(failures, 10), longestPauseMs);
    return { failures: failures + 1, failure, nextAt: new Date(this.clock.now().getTime() + pauseMs) };
  }
}

/** A passage with what stands above it. */
const textOf = ({ heading, text }: Unvectored): string =>
  [heading, text].filter(Boolean).join('\n').slice(0, passageCharacters);
