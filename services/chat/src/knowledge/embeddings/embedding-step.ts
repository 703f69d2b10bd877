import { Injectable } from '@nestjs/common';
import type { GenerationFailure } from '@parley/contracts';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { NoBudget } from '../../assistants/budgets/index.ts';
import {
  EmbeddingModels,
  mayHaveUsed,
  ModelFailure,
  type EmbeddingModel,
  type embedPassages,
} from '../../assistants/models/index.ts';
import { mostVectorBytes, PassageVectors, type Unvectored } from '../retrieval/index.ts';
import {
  askingFor,
  EmbeddingCalls,
  nobody,
  passagesPerBatch,
  passageText,
  type Answer,
  type PassagesCall,
} from './embedding-calls.ts';
import type { EmbeddingRow } from './embedding.collection.ts';
import { EmbeddingsRepository, type Progress } from './embeddings.repository.ts';

const jobs = jobScope('passages get their vectors');
/** A step is one batch at most: so it is one batch a second. */
const stepMs = 1_000;
/** The lease is longer than any step, so workers of release 0.4.0 don't touch the row meanwhile. */
const leaseMs = 30_000;
const longestPauseMs = 60_000;
const embedding = job('gives passages their vectors');

type Input = JobInput<typeof embedPassages>;
type Step = { readonly scope: OrganisationScope; readonly row: EmbeddingRow; readonly run: JobRun };
type Asked = Step &
  PassagesCall & { readonly model: EmbeddingModel; readonly passages: readonly Unvectored[]; readonly texts: string[] };

/** One step of one organisation: the next passages get their vectors, or some of another model go. */
@Injectable()
export class EmbeddingStep implements JobRunner<Input> {
  constructor(
    private readonly embeddings: EmbeddingsRepository,
    private readonly models: EmbeddingModels,
    private readonly vectors: PassageVectors,
    private readonly calls: EmbeddingCalls,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /** Goes on until nothing waits; whatever changes passages, their vectors or the model queues the job again. */
  async run({ orgId }: Input, run: JobRun): Promise<GoesOn | void> {
    const scope = jobs.in(orgId);
    const [known, model] = await Promise.all([this.embeddings.find(scope), this.models.of(scope, 'passages')]);
    if (!known && !model) return;
    const row = known ?? (await this.embeddings.begin(scope, run.later(0)));
    if (row.nextAt > run.later(0)) return goOn(row.nextAt);
    const step = { scope, row, run };
    await this.settle(step);
    if (row.of !== (model?.key ?? null)) return this.change(step, model);
    if (row.isForgetting)
      return this.keep(step, {}, async (tx) => ({ isForgetting: await this.vectors.forget(scope, tx) }));
    if (model) return this.embed(step, model);
  }

  /** Stores the organisation's progress, unless another attempt has taken over the job. */
  private async keep(
    { scope, run }: Step,
    set: Progress,
    also?: (tx: Transaction) => Promise<Progress | void> | void,
  ): Promise<GoesOn> {
    const times = { leaseHolder: null, leaseUntil: run.later(leaseMs), nextAt: set.nextAt ?? run.later(stepMs) };
    await this.work.run(embedding, async (tx) => {
      await run.hold(tx);
      await this.embeddings.keep(scope, { ...set, ...(await also?.(tx)), ...times }, tx);
    });
    return goOn(times.nextAt);
  }

  /** Records the call of a worker that died while the model was asked, as estimated: the model may have answered. */
  private async settle(step: Step): Promise<void> {
    const { scope, row } = step;
    const { asking } = row;
    if (!asking) return;
    await this.keep(step, { asking: null }, (tx) => this.calls.recordPassages(tx, scope, { asker: nobody, asking }));
  }

  /** All that there is was made by another model: it goes first. */
  private change(step: Step, model: EmbeddingModel | null): Promise<GoesOn> {
    const begun = { failures: 0, failure: null, isFull: false, dimensions: null, batch: passagesPerBatch };
    return this.keep(step, { of: model?.key ?? null, isForgetting: true, ...begun });
  }

  private async embed(step: Step, model: EmbeddingModel): Promise<GoesOn | void> {
    const { scope, row, run } = step;
    const passages = await this.vectors.waiting(scope, batchOf(row));
    const isFull = passages.length > 0 && (await this.isFull(scope, row, passages.length));
    if (passages.length === 0 || isFull) return void (await this.keep(step, { failures: 0, failure: null, isFull }));
    const texts = passages.map(passageText);
    const asked: Asked = { ...step, model, passages, texts, asker: nobody, asking: askingFor(model, texts) };
    try {
      const { asking } = asked;
      const answer = await this.calls.embed(scope, { ...asked, ending: run.signal }, () => this.keep(step, { asking }));
      if (answer === null || answer === 'refused')
        return await this.keep(step, { asking: null, batch: Math.floor(texts.length / 2) });
      return await (answer.refusal ? this.putAside(asked, answer) : this.store(asked, answer));
    } catch (error) {
      return this.fail(asked, error);
    }
  }

  private async putAside(asked: Asked, { used, refusal: reason }: Answer): Promise<GoesOn> {
    const { scope } = asked;
    const refused = asked.passages[0]!;
    const goesOn = await this.keep(asked, { asking: null, failures: 0, failure: null }, async (tx) => {
      this.calls.recordPassages(tx, scope, asked, used);
      await this.vectors.putAside(scope, refused, tx);
    });
    // What a server says of a text may quote it.
    this.platform.logger.warn({ orgId: scope.orgId, passage: refused._id, reason }, 'a passage gets no vector');
    return goesOn;
  }

  private async isFull(scope: OrganisationScope, { of, dimensions }: EmbeddingRow, more: number): Promise<boolean> {
    if (of === null || dimensions === null) return false;
    return ((await this.vectors.stored(scope, of)) + more) * dimensions > mostVectorBytes;
  }

  private store(asked: Asked, { vectors, used }: Answer): Promise<GoesOn> {
    const { scope, row, run, model, passages } = asked;
    const dimensions = vectors[0]!.length;
    const isOther = row.dimensions !== null && row.dimensions !== dimensions;
    const revision = row.revision + 1;
    const next = isOther ? failing(asked, 'provider-error') : { dimensions, revision, failures: 0, failure: null };
    const batch = Math.min(2 * batchOf(row), passagesPerBatch);
    run.progressed();
    return this.keep(asked, { ...next, batch, asking: null, isFull: false }, async (tx) => {
      this.calls.recordPassages(tx, scope, asked, used);
      if (!isOther) await this.vectors.store(scope, { of: model.key, revision, passages, vectors }, tx);
    });
  }

  private async fail(asked: Asked, error: unknown): Promise<GoesOn> {
    const { scope, run } = asked;
    const isKnown = error instanceof ModelFailure || error instanceof NoBudget;
    const isEnding = run.signal.aborted;
    const next = isEnding ? { nextAt: run.later(0) } : failing(asked, isKnown ? error.reason : 'internal');
    const goesOn = await this.keep(asked, { ...next, asking: null }, (tx) => {
      if (isEnding || mayHaveUsed(error)) this.calls.recordPassages(tx, scope, asked);
    });
    if (!isKnown) throw error;
    return goesOn;
  }
}

/** Doubles the pause after each failure, up to one minute. */
function failing({ row: { failures }, run }: Step, failure: GenerationFailure) {
  const pauseMs = Math.min(1_000 * 2 ** Math.min(failures, 10), longestPauseMs);
  return { failures: failures + 1, failure, nextAt: run.later(pauseMs) };
}

/** Fewer where one of them was refused, twice as many after each batch that was not. */
const batchOf = ({ batch = passagesPerBatch }: EmbeddingRow): number => batch;
