import { Injectable } from '@nestjs/common';
import type { GenerationFailure } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { randomUUID } from 'node:crypto';
import { NoBudget } from '../../assistants/budgets/index.ts';
import {
  EmbeddingModels,
  isRefusalOfTexts,
  mayHaveUsed,
  ModelFailure,
  type EmbeddingModel,
} from '../../assistants/models/index.ts';
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
/** What every model that works has a vector for. */
export const harmless = 'word';
const embedding = job('gives passages their vectors');

type Held = Pick<EmbeddingRow, 'leaseHolder'>;
type Asked = { readonly row: EmbeddingRow; readonly call: EmbeddingCall; readonly passages: readonly Unvectored[] };
type Failed = Asked & {
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
    private readonly platform: Platform,
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
    const begun = { failures: 0, failure: null, isFull: false, dimensions: null, batch: passagesPerBatch };
    const nextAt = this.clock.now();
    await this.embeddings.release(scope, row, { of: model?.key ?? null, isForgetting: true, ...begun, nextAt });
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
    const passages = await this.vectors.waiting(scope, batchOf(row));
    const isFull = passages.length > 0 && (await this.isFull(scope, row, passages.length));
    if (passages.length === 0 || isFull) return this.rest(scope, row, { isFull });
    const texts = passages.map(passageText);
    const call: EmbeddingCall = { id: newId('embedding'), purpose: 'passages', asker: nobody, model };
    const asked: Asked = { row, call, passages };
    try {
      await this.calls.hold(scope, call, { texts, withinMs: budgetMs });
      const asking = { id: call.id, model: model.key, upstream: model.upstream, inputTokens: estimatedTokens(texts) };
      if (!(await this.embeddings.keep(scope, row, { asking }))) return;
      const signal = AbortSignal.any([ending, AbortSignal.timeout(modelMs)]);
      const embedded = await model.embed(texts, signal).catch(async (error: unknown) => {
        if (!isRefusalOfTexts(error)) throw error;
        await this.narrow(scope, asked, { model, error, signal });
        return null;
      });
      if (!embedded) return;
      const { vectors, inputTokens } = embedded;
      await this.store(scope, { ...asked, vectors, used: usedOf(inputTokens, texts) });
    } catch (error) {
      await this.fail(scope, { ...asked, error, isEnding: ending.aborted });
    }
  }

  /**
   * Fewer are asked at once until the refused one is alone. It is put aside only where the model has a vector for something
   * else: otherwise the server refuses everything, and is asked again later.
   */
  private async narrow(
    scope: OrganisationScope,
    { row, call, passages }: Asked,
    {
      model,
      error,
      signal,
    }: { readonly model: EmbeddingModel; readonly error: ModelFailure; readonly signal: AbortSignal },
  ): Promise<void> {
    const [refused, ...others] = passages;
    const set = { asking: null, nextAt: this.clock.now() };
    if (others.length > 0) {
      await this.embeddings.release(scope, row, { ...set, batch: Math.floor(passages.length / 2) });
      return;
    }
    const { inputTokens } = await model.embed([harmless], signal);
    await this.work.run(embedding, async (tx) => {
      if (!(await this.embeddings.release(scope, row, { ...set, failures: 0, failure: null }, tx))) return;
      this.calls.record(tx, scope, call, usedOf(inputTokens, [harmless]));
      await this.vectors.putAside(scope, refused!, tx);
    });
    // What a server says of a text may quote it.
    const { reason } = error;
    this.platform.logger.warn({ orgId: scope.orgId, passage: refused!._id, reason }, 'a passage gets no vector');
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
    batch: Asked & { readonly vectors: readonly (readonly number[])[]; readonly used: ReturnType<typeof usedOf> },
  ): Promise<void> {
    const { row, call, passages, vectors, used } = batch;
    const dimensions = vectors[0]!.length;
    const isOther = row.dimensions !== null && row.dimensions !== dimensions;
    const revision = row.revision + (isOther ? 0 : 1);
    await this.work.run(embedding, async (tx) => {
      const next = isOther ? this.failing(row, 'provider-error') : { dimensions, revision, failures: 0, failure: null };
      const more = Math.min(2 * batchOf(row), passagesPerBatch);
      const set = { nextAt: this.clock.now(), ...next, batch: more, asking: null, isFull: false };
      if (!(await this.embeddings.release(scope, row, set, tx))) return;
      this.calls.record(tx, scope, call, used);
      if (!isOther) await this.vectors.store(scope, { of: call.model.key, revision, passages, vectors }, tx);
    });
  }

  private async fail(scope: OrganisationScope, { row, call, passages, error, isEnding }: Failed): Promise<void> {
    const isKnown = error instanceof ModelFailure || error instanceof NoBudget;
    const failing = this.failing(row, isKnown ? error.reason : 'internal');
    const next = isEnding ? { nextAt: this.clock.now() } : failing;
    await this.work.run(embedding, async (tx) => {
      if (!(await this.embeddings.release(scope, row, { ...next, asking: null }, tx))) return;
      if (isEnding || mayHaveUsed(error))
        this.calls.record(tx, scope, call, mayBeUsed(estimatedTokens(passages.map(passageText))));
    });
    if (!isKnown) throw error;
  }

  /** The pause doubles, to a minute. */
  private failing({ failures }: EmbeddingRow, failure: GenerationFailure) {
    const pauseMs = Math.min(1_000 * 2 ** Math.min(failures, 10), longestPauseMs);
    return { failures: failures + 1, failure, nextAt: new Date(this.clock.now().getTime() + pauseMs) };
  }
}

/** Fewer where one of them was refused, twice as many after each batch that was not. */
const batchOf = ({ batch = passagesPerBatch }: EmbeddingRow): number => batch;

/** A passage with what stands above it. */
export const passageText = ({ heading, text }: Pick<Unvectored, 'heading' | 'text'>): string =>
  [heading, text].filter(Boolean).join('\n').slice(0, passageCharacters);
