import { Injectable } from '@nestjs/common';
import { embeddingEnded, type EmbeddingId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { DataOf } from '@parley/protocol';
import { HardLimits, isBounded, Reservations } from '../../assistants/budgets/index.ts';
import type { EmbeddingModel } from '../../assistants/models/index.ts';

type Told = DataOf<typeof embeddingEnded>;
/** Who asks, of which chatbot; nobody where passages get their vectors. */
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

/** A token has a byte at least; each text may have a frame of its own. */
const frameTokens = 8;
const charactersOfToken = 4;
/** Four characters a token, where the server does not say it. */
export const estimatedTokens = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(text.length / charactersOfToken), 0);
const tokensAtMost = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text) + frameTokens, 0);

/** What calls of an embedding model cost: held before, told afterwards. */
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

/** As the server counts it, or estimated where it does not say. */
export const usedOf = (inputTokens: number | null, texts: readonly string[]): Used => ({
  inputTokens: inputTokens ?? estimatedTokens(texts),
  estimated: inputTokens === null,
  outcome: 'done',
});
/** Nobody knows whether it was answered. */
export const mayBeUsed = (inputTokens: number): Used => ({ inputTokens, estimated: true, outcome: 'interrupted' });
