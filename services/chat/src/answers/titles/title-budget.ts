import { Injectable } from '@nestjs/common';
import type { titleEnded } from '@parley/contracts';
import { derivedId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { DataOf } from '@parley/protocol';
import { HardLimits, isBounded, NoBudget, Reservations } from '../../assistants/budgets/index.ts';
import { inputTokensAtMost, type ModelRequest } from '../../assistants/models/index.ts';

/** The most time that a title waits for billing. */
const withinMs = 2_000;
/** Billing ends a reservation 15 s after its last renewal. */
const renewEveryMs = 5_000;

type Told = DataOf<typeof titleEnded>;
/** The answer whose model writes the title. */
export type Titled = Pick<Told, 'orgId' | 'conversationId' | 'userId'> & {
  /** The answer itself. */
  readonly _id: Told['generationId'];
  /** Missing for answers of earlier versions. */
  readonly groupIds?: Told['groupIds'];
  readonly modelKey: Told['model'];
  readonly upstream: Told['upstream'] | null;
  readonly chatbot: { readonly id: NonNullable<Told['chatbotId']> } | null;
  readonly locale: string;
};

/** Returns the id of a chat's title in billing; a chat has only one. */
export const titleIdOf = (conversationId: Told['conversationId']): Told['generationId'] =>
  derivedId('generation', ['title', conversationId]);

/** Reserves the cost of titles in the person's budgets before the model is asked. */
@Injectable()
export class TitleBudget {
  constructor(
    private readonly limits: HardLimits,
    private readonly reservations: Reservations,
  ) {}

  /** Returns null if a budget has no room, or billing doesn't answer. The title's event settles the reservation. */
  async hold(
    scope: OrganisationScope,
    { orgId, userId, groupIds = [], modelKey: model, upstream, chatbot, conversationId }: Titled,
    request: ModelRequest,
  ): Promise<{ readonly isBounded: boolean; readonly release: () => void } | null> {
    const use = { userId, groupIds, chatbotId: chatbot?.id ?? null, model };
    if (!upstream || !isBounded(await this.limits.list(scope), use))
      return { isBounded: false, release: () => undefined };
    const reserved = { orgId, generationId: titleIdOf(conversationId), attempt: 1 };
    const asked = { userId, groupIds, model, upstream, ...(chatbot && { chatbotId: chatbot.id }), ended: [] };
    const tokens = { inputTokens: inputTokensAtMost(request), outputTokens: request.maxOutputTokens ?? 0 };
    try {
      await this.reservations.reserve({ ...reserved, ...asked, ...tokens }, { withinMs });
    } catch (error) {
      if (error instanceof NoBudget) return null;
      throw error;
    }
    const renewing = setInterval(() => void this.reservations.renew([reserved]).catch(() => undefined), renewEveryMs);
    return { isBounded: true, release: () => clearInterval(renewing) };
  }
}
