import { generationAttemptEnded, generationQueued } from '@parley/contracts';
import { eachRow, jobScope, type Mongo } from '@parley/platform/mongo';
import type { RecordSnapshot } from '@parley/platform/service';
import { ConversationsRepository } from '../../../conversations/index.ts';
import { generationRows } from './generation.collection.ts';
import { attemptTold, queuedTold } from './generation-events.ts';

const everything = jobScope('tells all answers again');

/**
 * Republishes all answers with each of their attempts. For versions that didn't store attempts, publishes only the
 * request.
 */
export async function tellGenerations(mongo: Mongo, record: RecordSnapshot): Promise<void> {
  const conversations = new ConversationsRepository(mongo);
  for await (const generation of eachRow(mongo.rows(generationRows).within(everything))) {
    // An imported answer has no request to republish.
    if (generation.imported) continue;
    const conversation = await conversations.find(everything.in(generation.orgId), generation.conversationId);
    if (!conversation) continue;
    const { sequence } = conversation;
    await record(generationQueued, queuedTold(conversation, generation), { sequence });
    for (const attempt of generation.attempts ?? [])
      await record(generationAttemptEnded, attemptTold(conversation, generation, attempt), { sequence });
  }
}
