import { Injectable } from '@nestjs/common';
import { newId } from '@parley/platform/ids';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
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
import { StorageQuota } from '../documents/index.ts';
import {
  EmbeddingCalls,
  estimatedTokens,
  harmless,
  mayBeUsed,
  passageText,
  usedOf,
  type EmbeddingCall,
} from '../embeddings/index.ts';
import type { FileEmbeddingRow } from './file-embedding.collection.ts';
import type { embedFile } from './file-jobs.ts';
import { FilesRepository } from './files.repository.ts';
import { FileVectors, passagesPerBatch } from './file-vectors.ts';

const jobs = jobScope('passages of files get their vectors');
const budgetMs = 5_000;
const modelMs = 12_000;
const embedding = job('gives passages of files their vectors');

type Input = JobInput<typeof embedFile>;
type Step = { readonly row: FileEmbeddingRow; readonly model: EmbeddingModel; readonly run: JobRun };
type Asked = Step & { readonly call: EmbeddingCall; readonly texts: readonly string[] };

/** One step of one file: its next passages get their vectors, paid by the person who attached it. */
@Injectable()
export class FileEmbeddingStep implements JobRunner<Input> {
  constructor(
    private readonly vectors: FileVectors,
    private readonly files: FilesRepository,
    private readonly models: EmbeddingModels,
    private readonly calls: EmbeddingCalls,
    private readonly quota: StorageQuota,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /** Does one batch; the job goes on while the row wants more. */
  async run({ orgId, fileId }: Input, run: JobRun): Promise<GoesOn | void> {
    const scope = jobs.in(orgId);
    const claimed = await this.vectors.claim(scope, { _id: fileId }, { holder: randomUUID() });
    const row = claimed && (await this.settled(scope, claimed));
    if (!row) return;
    if (!(await this.files.find(scope, row._id))) return this.vectors.drop(scope, row);
    const model = await this.models.of(scope, 'passages');
    if (row.of !== (model?.key ?? null)) await this.change(scope, row, model);
    else if (model) await this.embed(scope, { row, model, run });
    else await this.vectors.keep(scope, row, { isWanted: false, holder: null });
    const [then] = await this.vectors.find(scope, [fileId]);
    if (then?.isWanted) return goOn();
  }

  /** Ends the attempts. The file is found by its words alone until a question searches it, which begins new attempts. */
  async giveUp({ orgId, fileId }: Input): Promise<void> {
    const scope = jobs.in(orgId);
    const [row] = await this.vectors.find(scope, [fileId]);
    if (row) await this.vectors.keep(scope, row, { isWanted: false, holder: null });
  }

  /** A worker died while it asked: the model may have answered. */
  private async settled(scope: OrganisationScope, row: FileEmbeddingRow): Promise<FileEmbeddingRow | null> {
    const { asking } = row;
    if (!asking) return row;
    const { id, model: key, upstream, inputTokens } = asking;
    const call: EmbeddingCall = { id, purpose: 'passages', asker: payerOf(row), model: { key, upstream } };
    return this.work.run(embedding, async (tx) => {
      const kept = await this.vectors.keep(scope, row, { asking: null }, tx);
      if (kept) this.calls.record(tx, scope, call, mayBeUsed(inputTokens));
      return kept;
    });
  }

  /** All that there is was made by another model: it goes first. */
  private async change(scope: OrganisationScope, row: FileEmbeddingRow, model: EmbeddingModel | null): Promise<void> {
    const begun = { next: 0, dimensions: null, batch: passagesPerBatch, holder: null };
    await this.work.run(embedding, async (tx) => {
      const set = { of: model?.key ?? null, isWanted: model !== null, ...begun };
      if (await this.vectors.keep(scope, row, set, tx)) await this.vectors.forget(scope, row._id, tx);
    });
  }

  private async embed(scope: OrganisationScope, step: Step): Promise<void> {
    const { row, model, run } = step;
    const passages = await this.vectors.waiting(scope, row);
    if (passages.length === 0 || (await this.isFull(scope)))
      return void (await this.vectors.keep(scope, row, { isWanted: false, holder: null }));
    const texts = passages.map(passageText);
    const call: EmbeddingCall = { id: newId('embedding'), purpose: 'passages', asker: payerOf(row), model };
    const asked: Asked = { ...step, call, texts };
    try {
      await this.calls.hold(scope, call, { texts, withinMs: budgetMs });
      const asking = { id: call.id, model: model.key, upstream: model.upstream, inputTokens: estimatedTokens(texts) };
      if (!(await this.vectors.keep(scope, row, { asking }))) return;
      const signal = AbortSignal.any([run.signal, AbortSignal.timeout(modelMs)]);
      const embedded = await model.embed(texts, signal).catch(async (error: unknown) => {
        if (!isRefusalOfTexts(error)) throw error;
        await this.narrow(scope, asked, signal);
        return null;
      });
      if (embedded) await this.store(scope, asked, embedded.vectors, usedOf(embedded.inputTokens, texts));
      run.progressed();
    } catch (error) {
      await this.fail(scope, asked, error);
      // Keeps only the reason: a provider's message can quote the text.
      if (!(error instanceof NoBudget)) throw error instanceof ModelFailure ? failureOf(error.reason) : error;
    }
  }

  private async isFull(scope: OrganisationScope): Promise<boolean> {
    const { usedBytes, quotaBytes } = await this.quota.read(scope);
    return usedBytes >= quotaBytes;
  }

  /** Fewer are asked at once until the refused one is alone; it gets a vector that is close to nothing. */
  private async narrow(scope: OrganisationScope, asked: Asked, signal: AbortSignal): Promise<void> {
    const { row, model, texts } = asked;
    if (texts.length > 1) {
      const set = { asking: null, holder: null, batch: Math.floor(texts.length / 2) };
      await this.vectors.keep(scope, row, set);
      return;
    }
    // Without a vector for a mere word the server refuses everything: that is a failure.
    const { vectors, inputTokens } = await model.embed([harmless], signal);
    await this.store(scope, asked, [vectors[0]!.map(() => 0)], usedOf(inputTokens, [harmless]));
    this.platform.logger.warn({ orgId: scope.orgId, fileId: row._id }, 'a passage of a file gets no vector');
  }

  private async store(
    scope: OrganisationScope,
    { row, call, texts, model }: Asked,
    made: readonly (readonly number[])[],
    used: ReturnType<typeof usedOf>,
  ): Promise<void> {
    const dimensions = made[0]!.length;
    const isOther = row.dimensions !== null && row.dimensions !== dimensions;
    await this.work.run(embedding, async (tx) => {
      const next = isOther ? {} : { dimensions, next: row.next + texts.length };
      const batch = Math.min(2 * row.batch, passagesPerBatch);
      const set = { ...next, batch, asking: null, holder: null };
      if (!(await this.vectors.keep(scope, row, set, tx))) return;
      this.calls.record(tx, scope, call, used);
      if (!isOther) await this.vectors.store(scope, { row, of: model.key }, made, tx);
    });
    if (isOther) throw failureOf('provider-error');
  }

  /** Without a budget words alone count until a question searches the file again. */
  private async fail(scope: OrganisationScope, { row, call, texts, run }: Asked, error: unknown): Promise<void> {
    const set = { isWanted: !(error instanceof NoBudget), asking: null, holder: null };
    await this.work.run(embedding, async (tx) => {
      if (!(await this.vectors.keep(scope, row, set, tx))) return;
      if (run.signal.aborted || mayHaveUsed(error))
        this.calls.record(tx, scope, call, mayBeUsed(estimatedTokens(texts)));
    });
  }
}

const failureOf = (reason: ModelFailure['reason']) => new ModelFailure(reason, null);

const payerOf = ({ userId, groupIds }: FileEmbeddingRow) => ({ userId, groupIds, chatbotId: null });
