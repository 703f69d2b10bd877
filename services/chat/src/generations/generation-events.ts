import type { DataOf, generationAttemptEnded, generationQueued } from '@parley/contracts';
import { addressOf, type StoredConversation } from '../conversations/index.ts';
import type { Attempt, Generation } from './generation.collection.ts';

/** That an answer waits for a worker. */
export function queuedTold(conversation: StoredConversation, generation: Generation): DataOf<typeof generationQueued> {
  const { _id: generationId, answerId, userId, modelKey: model } = generation;
  return { ...addressOf(conversation), generationId, answerId, userId, model };
}

/** That one attempt at it has ended. */
export function attemptTold(
  conversation: StoredConversation,
  generation: Generation,
  { at: _at, ...ended }: Attempt,
): DataOf<typeof generationAttemptEnded> {
  return { ...queuedTold(conversation, generation), ...ended };
}
