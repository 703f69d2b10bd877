import { Injectable } from '@nestjs/common';
import { embeddingEnded, embeddingId, modelKey, type EmbeddingId, type GenerationFailure } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { DataOf } from '@parley/protocol';
import { z } from 'zod';
import { HardLimits, isBounded, Reservations } from '../../assistants/budgets/index.ts';
import { isRefusalOfTexts, type Embedded, type EmbeddingModel } from '../../assistants/models/index.ts';

type Told = DataOf<typeof embeddingEnded>;
/** The person and the chatbot of a call. Calls that embed passages have `nobody`. */
export type Asker = Pick<Told, 'userId' | 'chatbotId'> & { readonly groupIds: readonly string[] };
export const nobody: Asker = { userId: null, groupIds: [], chatbotId: null };

/** One call of the model. */
export type EmbeddingCall = {
  readonly id: EmbeddingId;
  readonly purpose: Told['purpose'];
  readonly asker: Asker;
  readonly model: Pick<EmbeddingModel, 'key' | 'upstream'>;
};
type Used = Pick<Told, 'inputTokens' | 'estimated' | 'outcome'>;

/** A call, stored in a row while the model answers. If its worker dies, the next worker records it. */
export const asking = z.strictObject({
  id: embeddingId,
  model: modelKey,
  upstream: z.strictObject({ host: z.string(), model: z.string() }),
  inputTokens: z.number().int(),
});
/** A call for vectors of passages. */
export type PassagesCall = { readonly asker: Asker; readonly asking: z.infer<typeof asking> };
type PassagesAsked = PassagesCall & {
  readonly model: EmbeddingModel;
  readonly texts: readonly string[];
  readonly ending: AbortSignal;
};
/** The vectors of all texts. If the model refused a text that was sent alone: the reason, and the vector of a test word. */
export type Answer = {
  readonly vectors: Embedded['vectors'];
  readonly used: Used;
  readonly refusal: GenerationFailure | null;
};

const budgetMs = 5_000;
/** The model has to answer before billing releases the reserved budget, after 15 s. */
const modelMs = 12_000;
/** A text that every working model can embed. */
const harmless = 'word';
export const passagesPerBatch = 64;
/** The model is given so much of a passage; few are longer, and most models read no more. */
export const passageCharacters = 2_000;

/** Returns the text of a passage with its heading. */
export const passageText = ({ heading, text }: { readonly heading: string | null; readonly text: string }): string =>
  [heading, text].filter(Boolean).join('\n').slice(0, passageCharacters);

/** A token has a byte at least; each text may have a frame of its own. */
const frameTokens = 8;
const charactersOfToken = 4;
/** Four characters a token, where the server does not say it. */
export const estimatedTokens = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(text.length / charactersOfToken), 0);
const tokensAtMost = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text) + frameTokens, 0);

/** Calls embedding models. Reserves the most that a call can cost before it, and records its usage after it. */
@Injectable()
export class EmbeddingCalls {
  constructor(
    private readonly limits: HardLimits,
    private readonly reservations: Reservations,
    private readonly clock: Clock,
  ) {}

  /** Holds the most that it can use, where a hard limit counts it. Rejects with `NoBudget`; then nothing may be asked. */
  async hold(
    scope: OrganisationScope,
    { id, asker, model }: EmbeddingCall,
    { texts, withinMs }: { readonly texts: readonly string[]; readonly withinMs: number },
  ): Promise<void> {
    const { userId, chatbotId } = asker;
    const groupIds = [...asker.groupIds] as Told['groupIds'];
    const limits = await this.limits.list(scope);
    if (!isBounded(limits, { userId, groupIds, chatbotId, model: model.key })) return;
    await this.reservations.reserve(
      {
        orgId: scope.orgId,
        generationId: id,
        attempt: 1,
        userId,
        groupIds,
        model: model.key,
        ...(chatbotId && { chatbotId }),
        upstream: model.upstream,
        inputTokens: tokensAtMost(texts),
        outputTokens: 0,
        ended: [],
      },
      { withinMs },
    );
  }

  /**
   * Embeds passages after `begin` has stored the call; returns null if `begin` does. `refused`: the model refuses one of
   * the texts, so send fewer until that one is alone. Rejects if the model can't embed a test word either, because then
   * the server refuses everything.
   */
  async embed(
    scope: OrganisationScope,
    { asker, asking: { id }, model, texts, ending }: PassagesAsked,
    begin: () => Promise<object | null>,
  ): Promise<Answer | 'refused' | null> {
    await this.hold(scope, { id, purpose: 'passages', asker, model }, { texts, withinMs: budgetMs });
    if (!(await begin())) return null;
    const signal = AbortSignal.any([ending, AbortSignal.timeout(modelMs)]);
    const ask = async (some: readonly string[], refusal: GenerationFailure | null): Promise<Answer> => {
      const { vectors, inputTokens } = await model.embed(some, signal);
      return { vectors, used: usedOf(inputTokens, some), refusal };
    };
    return ask(texts, null).catch(async (error: unknown) => {
      if (!isRefusalOfTexts(error)) throw error;
      return texts.length > 1 ? ('refused' as const) : ask([harmless], error.reason);
    });
  }

  /** Records a call that embeds passages. Leave out `used` if nobody knows whether the model answered. */
  recordPassages(
    tx: Transaction,
    scope: OrganisationScope,
    { asker, asking: { id, model: key, upstream, inputTokens } }: PassagesCall,
    used = mayBeUsed(inputTokens),
  ): void {
    this.record(tx, scope, { id, purpose: 'passages', asker, model: { key, upstream } }, used);
  }

  /** Told once for each call, in the transaction that keeps what came of it. */
  record(tx: Transaction, scope: OrganisationScope, call: EmbeddingCall, used: Used): void {
    const { id: embeddingId, purpose, asker, model } = call;
    tx.record(embeddingEnded, {
      orgId: scope.orgId,
      embeddingId,
      purpose,
      userId: asker.userId,
      groupIds: [...asker.groupIds] as Told['groupIds'],
      chatbotId: asker.chatbotId,
      model: model.key,
      upstream: model.upstream,
      ...used,
      endedAt: this.clock.now().toISOString(),
    });
  }
}

/** Returns a new call that embeds these texts, in the form that a row stores. */
export const askingFor = ({ key, upstream }: EmbeddingModel, texts: readonly string[]): PassagesCall['asking'] => ({
  id: newId('embedding'),
  model: key,
  upstream,
  inputTokens: estimatedTokens(texts),
});

/** As the server counts it, or estimated where it does not say. */
export const usedOf = (inputTokens: number | null, texts: readonly string[]): Used => ({
  inputTokens: inputTokens ?? estimatedTokens(texts),
  estimated: inputTokens === null,
  outcome: 'done',
});
/** Nobody knows whether it was answered. */
export const mayBeUsed = (inputTokens: number): Used => ({ inputTokens, estimated: true, outcome: 'interrupted' });
