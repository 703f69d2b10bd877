import type { Reservations, Reserved } from '../../../assistants/budgets/index.ts';
import { inputTokensAtMost, type ModelRequest } from '../../../assistants/models/index.ts';
import type { Generation } from '../rows/generation.collection.ts';

/** Limits an answer under a hard limit: this is reserved for it, or less where less is left, and its model is told so. */
const mostOutputTokens = 4_096;
/** What is shorter is no answer, unless a program has asked for less. */
const leastOutputTokens = 256;

type Parts = { readonly generation: Generation; readonly reservations: Pick<Reservations, 'reserve'> };

/** Reserves budget in billing for one attempt, and knows how long its answer can be. */
export class BudgetReservation {
  /** What has to be renewed there while it is written. */
  reserved: Reserved | null = null;
  /** Billing has not answered yet: so long the question waits, as if no worker had it. */
  isAwaited = false;
  private granted: number | null = null;

  constructor(private readonly parts: Parts) {}

  /** The request with the limit of output that is reserved for it. Waits while billing can't be asked. */
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

  /** Whether an answer that reached its limit did so because of the budget, as far as its model says what it has written. */
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
