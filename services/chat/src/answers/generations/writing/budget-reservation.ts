import type { Reservations, Reserved } from '../../../assistants/budgets/index.ts';
import { inputTokensAtMost, type ModelRequest } from '../../../assistants/models/index.ts';
import type { Generation } from '../rows/generation.collection.ts';

/**
 * Limits an answer under a hard limit: this is reserved for it, or less if less is left, and its model gets the limit.
 */
const mostOutputTokens = 4_096;
/** Anything shorter is no answer, unless a program asked for less. */
const leastOutputTokens = 256;

type Parts = { readonly generation: Generation; readonly reservations: Pick<Reservations, 'reserve'> };

/** Reserves budget in billing for one attempt, and knows how long its answer can be. */
export class BudgetReservation {
  /** What has to be renewed there while it runs. */
  reserved: Reserved | null = null;
  /** Billing hasn't answered yet: the question waits as if no worker had it. */
  isAwaited = false;
  private granted: number | null = null;

  constructor(private readonly parts: Parts) {}

  /** Returns the request with the reserved limit of output. Waits while billing can't be asked. */
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

  /** Returns whether an answer that reached its limit did so because of the budget, by the model's own count. */
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
