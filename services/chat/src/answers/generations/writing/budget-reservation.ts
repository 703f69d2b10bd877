import type { Reservations, Reserved } from '../../../assistants/budgets/index.ts';
import { inputTokensAtMost, type ModelRequest } from '../../../assistants/models/index.ts';
import type { Generation } from '../rows/generation.collection.ts';

/**
 * The most output tokens under a hard limit. They are reserved, or fewer if less budget is left, and the model gets
 * that number as its limit.
 */
const mostOutputTokens = 4_096;
/** A shorter answer isn't worth asking for, unless a program wants fewer tokens. */
const leastOutputTokens = 256;

type Parts = { readonly generation: Generation; readonly reservations: Pick<Reservations, 'reserve'> };

/** Reserves budget in billing for one attempt, which limits the length of its answer. */
export class BudgetReservation {
  /** The reservation that must be renewed in billing while the attempt runs. */
  reserved: Reserved | null = null;
  /**
   * True while the attempt waits for billing to reserve budget: meanwhile its question waits as if no worker had it.
   */
  isAwaited = false;
  private granted: number | null = null;

  constructor(private readonly parts: Parts) {}

  /** Reserves budget and returns the request with the limit of output tokens. Waits while billing is unavailable. */
  async take(request: ModelRequest): Promise<ModelRequest> {
    const { generation, reservations } = this.parts;
    const wanted = Math.min(request.maxOutputTokens ?? mostOutputTokens, mostOutputTokens);
    const reserved = { orgId: generation.orgId, generationId: generation._id, attempt: generation.epoch };
    const wish = wishOf(generation, { inputTokens: inputTokensAtMost(request), outputTokens: wanted });
    this.isAwaited = true;
    const granted = await reservations.reserve({ ...reserved, ...wish }, { signal: request.signal });
    request.signal.throwIfAborted();
    this.isAwaited = false;
    this.reserved = reserved;
    if (granted < wanted) this.granted = granted;
    return { ...request, maxOutputTokens: granted };
  }

  /**
   * Returns whether an answer ended at its limit because of the budget, by the output tokens that the model counted.
   */
  hasCut(outputTokens: number | null): boolean {
    return this.granted !== null && (outputTokens === null || outputTokens >= this.granted);
  }
}

function wishOf(
  { userId, groupIds, modelKey: model, chatbot, upstream, attempts }: Generation,
  tokens: { readonly inputTokens: number; readonly outputTokens: number },
) {
  if (!upstream) throw new Error('The built-in assistant costs nothing.');
  const ended = (attempts ?? []).map((one) => ({
    attempt: one.attempt,
    inputTokens: one.inputTokens,
    outputTokens: one.outputTokens,
  }));
  const asked = { userId, groupIds: groupIds ?? [], model, ...(chatbot && { chatbotId: chatbot.id }), upstream };
  return { ...asked, ...tokens, leastOutputTokens: Math.min(leastOutputTokens, tokens.outputTokens), ended };
}
