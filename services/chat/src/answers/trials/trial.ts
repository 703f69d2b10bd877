import type { Trial } from '@parley/contracts';
import type { Generation } from '../generations/index.ts';
import type { TrialRow } from './trial.collection.ts';

/** Returns a trial for the person who asked it. */
export function toTrial(row: TrialRow, generation: Generation): Trial {
  const last = generation.finishedAt ? generation.attempts?.at(-1) : undefined;
  return {
    id: row._id,
    chatbotId: row.chatbotId,
    version: row.version,
    question: row.question,
    conversationId: row.conversationId,
    generationId: row.generationId,
    askedBy: { userId: row.askerId, name: row.askerName },
    askedAt: row.askedAt.toISOString(),
    status: generation.status,
    failure: generation.failure,
    failureDetail: generation.failureDetail,
    text: generation.text,
    ...(generation.thoughts && { thoughts: generation.thoughts }),
    citations: generation.citations,
    found: generation.found ?? [],
    model: { key: generation.modelKey, label: generation.modelLabel },
    usage: generation.usage,
    firstTokenMs: last?.firstTokenMs ?? null,
    totalMs: last?.durationMs ?? null,
  };
}
