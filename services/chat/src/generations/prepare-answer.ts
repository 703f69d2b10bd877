import { Injectable } from '@nestjs/common';
import type { Citation } from '@parley/contracts';
import { organisationScope } from '@parley/platform/mongo';
import { DocumentsService } from '../documents/index.ts';
import { MessagesRepository, type Generation, type MessageRow } from '../messages/index.ts';
import { ModelsService, type ModelClient, type ModelTurn, type NumberedPassage } from '../models/index.ts';
import { RetrievalIndex } from '../retrieval/index.ts';

const historyMessages = 40;
const passagesPerAnswer = 6;

export type PreparedAnswer = {
  readonly client: ModelClient;
  readonly turns: readonly ModelTurn[];
  readonly passages: readonly NumberedPassage[];
  readonly citations: readonly Citation[];
  readonly documentCount: number;
};

/** Gathers what an answer needs: the model, the conversation so far, the passages that fit the question. */
@Injectable()
export class PrepareAnswer {
  constructor(
    private readonly models: ModelsService,
    private readonly messages: MessagesRepository,
    private readonly retrieval: RetrievalIndex,
    private readonly documents: DocumentsService,
  ) {}

  async prepare(generation: Generation): Promise<PreparedAnswer> {
    const scope = organisationScope(generation.orgId);
    const [client, rows, documentCount] = await Promise.all([
      this.models.client(scope, generation.modelKey),
      this.messages.page(scope, generation.conversationId, { before: undefined, limit: historyMessages }),
      this.documents.searchableCount(scope),
    ]);
    const turns = turnsTo(generation, rows);
    const found = documentCount === 0 ? [] : await this.retrieval.search(scope, turns.at(-1)?.text ?? '', passagesPerAnswer);
    const passages = found.map(({ documentName, heading, text }, index) => ({ number: index + 1, documentName, heading, text }));
    const citations = found.map(({ documentId, chunkId, documentName, heading }, index) => ({ number: index + 1, documentId, chunkId, documentName, heading }));
    return { client, turns, passages, citations, documentCount };
  }
}

/** Questions with their newest answer that has a text, up to the one to answer. An answer's text is in its row once it has ended. */
function turnsTo(generation: Generation, rows: readonly MessageRow[]): ModelTurn[] {
  const turns: ModelTurn[] = [];
  for (const question of rows.filter(({ role }) => role === 'person')) {
    turns.push({ role: 'person', text: question.text });
    if (question._id === generation.questionId) break;
    const answer = rows.findLast((row) => row.answerTo === question._id && row.text !== '');
    if (answer) turns.push({ role: 'assistant', text: answer.text });
  }
  return turns;
}

/** Only what the text refers to as `[n]` stays a citation. */
export function usedCitations(text: string, citations: readonly Citation[]): Citation[] {
  const used = new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, number]) => Number(number)));
  return citations.filter(({ number }) => used.has(number));
}
