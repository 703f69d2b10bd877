import type { Citation } from '@parley/contracts';
import { liveStreamOf } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import type { ModelClient } from '../../../assistants/models/index.ts';
import { AnswerAttempt } from './answer-attempt.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { ProcessTime } from './process-time.ts';
import type { PreparedAnswer } from '../asking/prepare-answer.ts';

export type Answer = ModelClient['answer'];
const live = new MemoryLiveStream();
/** Words never wait. */
export const freeTime = { isFree: () => true } as ProcessTime;
export const source = (number: number) => ({ number, documentName: `Source ${number}` }) as Citation;

const reservations = { reserve: async () => 4_096 };

type Wished = Pick<PreparedAnswer, 'maxOutputTokens' | 'stops'> &
  Partial<Pick<PreparedAnswer, 'path' | 'triesImages' | 'passages' | 'projectInstructions' | 'projectKnowledge'>>;
export const nothingWished: Wished = { maxOutputTokens: null, stops: [] };

export function attemptOf(answer: Answer, more: Partial<Generation> = {}, wishes = nothingWished) {
  const ids = { _id: newId('generation'), conversationId: newId('conversation') };
  const kept = { epoch: 2, text: 'Of before', textEpoch: 1, citations: [], stopRequested: false, locale: 'en' };
  const generation = { ...ids, ...kept, ...more } as unknown as Generation;
  const parts = {
    generation,
    liveStream: live,
    reservations,
    time: freeTime,
    key: { flow: 'flow', organisation: 'organisation', person: 'person' },
    stallMs: 1_000,
    deadlineMs: 10_000,
  };
  const attempt = new AnswerAttempt(parts);
  const told = { instructions: '', onlyFromDocuments: false, contextTokens: 8_000, passages: [] };
  const prepared = { client: { answer }, path: [{ role: 'person', text: '12345678' }], ...told, ...wishes };
  const preparing = Promise.resolve({ ...prepared, citations: [source(1), source(2)], documentCount: 2 });
  const frames = () => live.read(liveStreamOf(ids.conversationId, ids._id), null);
  return { attempt, run: () => attempt.run(preparing as unknown as Promise<PreparedAnswer>), frames };
}
/** Answers with these words and ends. */
export const saying =
  (...words: readonly string[]): Answer =>
  async (_request, onPart) => {
    for (const text of words) onPart({ kind: 'text', text });
  };
