import { Injectable } from '@nestjs/common';
import { newId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { ChatSettings } from '../../chat.config.ts';
import { EmbeddingModels, mayHaveUsed, type EmbeddingModel } from '../../assistants/models/index.ts';
import { PassageVectors, type FoundPassage, type Within } from '../retrieval/index.ts';
import { EmbeddingCalls, estimatedTokens, mayBeUsed, usedOf, type Asker } from './embedding-calls.ts';
import type { EmbeddingRow } from './embedding.collection.ts';
import { EmbeddingsRepository } from './embeddings.repository.ts';

/** After a failure the words alone count for so long: nobody waits for a server that is away. */
const pauseMs = 10_000;
/** What the model is given of a question. */
const questionCharacters = 2_000;
const asking = job('asks for the vector of a question');

/** Finds passages by what they mean, where the organisation's provider embeds. Nobody is told of its failures but the log. */
@Injectable()
export class MeaningSearch {
  private readonly pausedUntil = new Map<OrgId, number>();
  /** Documents and files are searched for one question at the same time: it is asked for once. */
  private readonly asked = new Map<string, Promise<readonly number[]>>();

  constructor(
    private readonly embeddings: EmbeddingsRepository,
    private readonly models: EmbeddingModels,
    private readonly vectors: PassageVectors,
    private readonly calls: EmbeddingCalls,
    private readonly work: Work,
    private readonly platform: Platform,
    private readonly settings: ChatSettings,
  ) {}

  /** Null where there is nothing to compare a question with, or the model server has just failed: then nothing is asked. */
  async ready(scope: OrganisationScope, within: Within): Promise<Comparable | null> {
    const row = await this.embeddings.find(scope);
    if (!isReady(row) || within.length === 0 || this.isPaused(scope.orgId)) return null;
    const model = await this.models.of(scope, 'questions');
    return model?.key === row.of ? { row, model } : null;
  }

  /** The closest passages within these connections, best first; null where the question got no vector in time. */
  async nearest(
    scope: OrganisationScope,
    within: Within,
    { row, model, text, asker, most }: Comparable & Question,
  ): Promise<FoundPassage[] | null> {
    const signal = AbortSignal.timeout(this.settings.questionVectorMs);
    try {
      // Goes on where the deadline passes: a later question finds them in memory. Until then the model is not asked.
      const isLoaded = await Promise.race([this.vectors.load(scope, row).then(() => true), passed(signal)]);
      if (!isLoaded) return null;
      const question = await this.vectorOf(scope, { text, model, asker }, signal);
      return await this.vectors.nearest(scope, within, { ...row, question, most });
    } catch (error) {
      return this.pause(scope, error);
    }
  }

  /** The vector of a question; null where it did not come in time, or the model server has just failed. */
  async vectorFor(scope: OrganisationScope, question: ForQuestion): Promise<readonly number[] | null> {
    if (this.isPaused(scope.orgId)) return null;
    try {
      return await this.vectorOf(scope, question, AbortSignal.timeout(this.settings.questionVectorMs));
    } catch (error) {
      return this.pause(scope, error);
    }
  }

  private pause({ orgId }: OrganisationScope, err: unknown): null {
    this.pausedUntil.set(orgId, performance.now() + pauseMs);
    this.platform.logger.warn({ orgId, err }, 'a question was searched for by its words only');
    return null;
  }

  private vectorOf(
    scope: OrganisationScope,
    { text: all, model, asker }: ForQuestion,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const text = all.slice(0, questionCharacters);
    const key = JSON.stringify([scope.orgId, model.key, asker.userId, asker.chatbotId, text]);
    const known = this.asked.get(key);
    if (known) return known;
    const coming = this.ask(scope, { text, model, asker }, signal).finally(() => this.asked.delete(key));
    this.asked.set(key, coming);
    return coming;
  }

  private async ask(
    scope: OrganisationScope,
    { text, model, asker }: ForQuestion,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const call = { id: newId('embedding'), purpose: 'question', asker, model } as const;
    const texts = [text];
    await this.calls.hold(scope, call, { texts, withinMs: this.settings.questionVectorMs });
    signal.throwIfAborted();
    const tell = (used: ReturnType<typeof usedOf>) =>
      this.work.run(asking, async (tx) => this.calls.record(tx, scope, call, used));
    try {
      const { vectors, inputTokens } = await model.embed(texts, signal);
      await tell(usedOf(inputTokens, texts));
      return vectors[0]!;
    } catch (error) {
      if (mayHaveUsed(error)) await tell(mayBeUsed(estimatedTokens(texts)));
      throw error;
    }
  }

  private isPaused(orgId: OrgId): boolean {
    return (this.pausedUntil.get(orgId) ?? 0) > performance.now();
  }
}

type ForQuestion = { readonly text: string; readonly model: EmbeddingModel; readonly asker: Asker };
/** What a question of the organisation is compared with, and by which model. */
type Comparable = { readonly row: Ready; readonly model: EmbeddingModel };
export type Question = { readonly text: string; readonly asker: Asker; readonly most: number };
type Ready = EmbeddingRow & { readonly of: NonNullable<EmbeddingRow['of']> };
const isReady = (row: EmbeddingRow | null): row is Ready =>
  row !== null && row.of !== null && !row.isForgetting && row.revision > 0;

/** False when the signal comes. */
const passed = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
