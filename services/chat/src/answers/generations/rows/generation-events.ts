import type { generationAttemptEnded, generationQueued } from '@parley/contracts';
import type { DataOf } from '@parley/protocol';
import { addressOf, type StoredConversation } from '../../../conversations/index.ts';
import type { Attempt, Generation } from './generation.collection.ts';

/** Returns the event for an answer that waits for a worker. */
export function queuedTold(conversation: StoredConversation, generation: Generation): DataOf<typeof generationQueued> {
  const { _id: generationId, answerId, userId, modelKey: model, chatbot, queuedAt } = generation;
  return {
    ...addressOf(conversation),
    generationId,
    answerId,
    userId,
    model,
    ...(chatbot && { chatbot: { id: chatbot.id, version: chatbot.version } }),
    queuedAt: queuedAt.toISOString(),
  };
}

/** Returns the event for an attempt that has ended. */
export function attemptTold(
  conversation: StoredConversation,
  generation: Generation,
  { at, ...ended }: Attempt,
): DataOf<typeof generationAttemptEnded> {
  const { upstream, groupIds } = generation;
  const endedAt = at.toISOString();
  const asked = { ...(upstream !== undefined && { upstream }), ...(groupIds !== undefined && { groupIds }) };
  return { ...queuedTold(conversation, generation), ...asked, ...ended, endedAt };
}
