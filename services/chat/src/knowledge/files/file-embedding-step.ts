import { Injectable } from '@nestjs/common';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { NoBudget } from '../../assistants/budgets/index.ts';
import { EmbeddingModels, mayHaveUsed, ModelFailure, type EmbeddingModel } from '../../assistants/models/index.ts';
import { StorageQuota } from '../documents/index.ts';
import {
  askingFor,
  EmbeddingCalls,
  passagesPerBatch,
  passageText,
  type Answer,
  type PassagesCall,
} from '../embeddings/index.ts';
import type { FileEmbeddingRow } from './file-embedding.collection.ts';
import type { embedFile } from './file-jobs.ts';
import { FilesRepository } from './files.repository.ts';
import { FileVectors, type Progress } from './file-vectors.ts';

const jobs = jobScope('passages of files get their vectors');
const embedding = job('gives passages of files their vectors');

type Input = JobInput<typeof embedFile>;
type Step = { readonly scope: OrganisationScope; readonly row: FileEmbeddingRow; readonly run: JobRun };
type Asked = Step & PassagesCall & { readonly model: EmbeddingModel; readonly texts: readonly string[] };

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
    const [row] = await this.vectors.find(scope, [fileId]);
    if (!row?.isWanted) return;
    const step = { scope, row, run };
    await this.settle(step);
    if (!(await this.files.find(scope, fileId))) return this.vectors.drop(scope, fileId);
    const model = await this.models.of(scope, 'passages');
    if (row.of !== (model?.key ?? null)) await this.change(step, model);
    else if (model) await this.embed(step, model);
    else await this.keep(step, { isWanted: false });
    const [then] = await this.vectors.find(scope, [fileId]);
    if (then?.isWanted) return goOn();
  }

  /** Ends the attempts. The file is found by its words alone until a question searches it, which begins new attempts. */
  async giveUp({ orgId, fileId }: Input): Promise<void> {
    await this.work.run(embedding, (tx) => this.vectors.keep(jobs.in(orgId), fileId, { isWanted: false }, tx));
  }

  /** Stores the file's progress, unless another attempt has taken over the job. Returns null if the file is deleted. */
  private keep(
    { scope, row, run }: Step,
    set: Progress,
    also?: (tx: Transaction) => Promise<unknown> | void,
  ): Promise<Progress | null> {
    return this.work.run(embedding, async (tx) => {
      await run.hold(tx);
      if (!(await this.vectors.keep(scope, row._id, set, tx))) return null;
      await also?.(tx);
      return set;
    });
  }

  /** Records the call of a worker that died while the model was asked, as estimated: the model may have answered. */
  private async settle(step: Step): Promise<void> {
    const { scope, row } = step;
    const { asking } = row;
    if (!asking) return;
    const call = { asker: payerOf(row), asking };
    await this.keep(step, { asking: null }, (tx) => this.calls.recordPassages(tx, scope, call));
  }

  /** All that there is was made by another model: it goes first. */
  private async change(step: Step, model: EmbeddingModel | null): Promise<void> {
    const set = {
      of: model?.key ?? null,
      isWanted: model !== null,
      next: 0,
      dimensions: null,
      batch: passagesPerBatch,
    };
    await this.keep(step, set, (tx) => this.vectors.forget(step.scope, step.row._id, tx));
  }

  private async embed(step: Step, model: EmbeddingModel): Promise<void> {
    const { scope, row, run } = step;
    const passages = await this.vectors.waiting(scope, row);
    if (passages.length === 0 || (await this.isFull(scope))) return void (await this.keep(step, { isWanted: false }));
    const texts = passages.map(passageText);
    const asked: Asked = { ...step, model, texts, asker: payerOf(row), asking: askingFor(model, texts) };
    try {
      const { asking } = asked;
      const answer = await this.calls.embed(scope, { ...asked, ending: run.signal }, () => this.keep(step, { asking }));
      if (answer === 'refused') await this.keep(step, { asking: null, batch: Math.floor(texts.length / 2) });
      else if (answer) await this.store(asked, answer);
      run.progressed();
    } catch (error) {
      await this.fail(asked, error);
      // Keeps only the reason: a provider's message can quote the text.
      if (!(error instanceof NoBudget)) throw error instanceof ModelFailure ? failureOf(error.reason) : error;
    }
  }

  private async isFull(scope: OrganisationScope): Promise<boolean> {
    const { usedBytes, quotaBytes } = await this.quota.read(scope);
    return usedBytes >= quotaBytes;
  }

  /** A passage that is refused gets a vector that is close to nothing. */
  private async store(asked: Asked, { vectors, used, refusal }: Answer): Promise<void> {
    const { scope, row, model, texts } = asked;
    const made = refusal ? [vectors[0]!.map(() => 0)] : vectors;
    const dimensions = made[0]!.length;
    const isOther = row.dimensions !== null && row.dimensions !== dimensions;
    const next = isOther ? {} : { dimensions, next: row.next + texts.length };
    const batch = Math.min(2 * row.batch, passagesPerBatch);
    await this.keep(asked, { ...next, batch, asking: null }, async (tx) => {
      this.calls.recordPassages(tx, scope, asked, used);
      if (!isOther) await this.vectors.store(scope, { row, of: model.key }, made, tx);
    });
    if (refusal)
      this.platform.logger.warn({ orgId: scope.orgId, fileId: row._id }, 'a passage of a file gets no vector');
    if (isOther) throw failureOf('provider-error');
  }

  /** Without a budget words alone count until a question searches the file again. */
  private async fail(asked: Asked, error: unknown): Promise<void> {
    const { scope, run } = asked;
    await this.keep(asked, { isWanted: !(error instanceof NoBudget), asking: null }, (tx) => {
      if (run.signal.aborted || mayHaveUsed(error)) this.calls.recordPassages(tx, scope, asked);
    });
  }
}

const failureOf = (reason: ModelFailure['reason']) => new ModelFailure(reason, null);

const payerOf = ({ userId, groupIds }: FileEmbeddingRow) => ({ userId, groupIds, chatbotId: null });
