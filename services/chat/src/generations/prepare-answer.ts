import { Injectable } from '@nestjs/common';
import type { ChunkId, Citation, ConversationId, MessageId, ModelKey } from '@parley/contracts';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { HardLimits, isBounded } from '../budgets/index.ts';
import { MessagesRepository, type MessageRow } from '../conversations/index.ts';
import { DocumentsService } from '../documents/index.ts';
import {
  ModelsService,
  type ChosenModel,
  type ModelClient,
  type ModelTurn,
  type NumberedPassage,
} from '../models/index.ts';
import { RetrievalIndex } from '../retrieval/index.ts';
import { isUnsent } from './generation.ts';
import type { Generation } from './generation.collection.ts';
import { GenerationsRepository } from './generations.repository.ts';

const historyMessages = 40;
const passagesPerAnswer = 6;
const job = jobScope('workers read what an answer needs');

export type PreparedAnswer = {
  readonly client: ModelClient;
  readonly turns: readonly ModelTurn[];
  readonly passages: readonly NumberedPassage[];
  readonly citations: readonly Citation[];
  readonly documentCount: number;
  /** A hard limit counts it: budget is held before the model is asked. */
  readonly isBounded: boolean;
};

/** `text` is that of a question that may not be stored yet; `continued` the answer to go on from. */
export type AskedQuestion = {
  readonly conversationId: ConversationId;
  readonly questionId: MessageId;
  readonly text: string | null;
  readonly continued: Generation['continued'];
  readonly asker: Pick<Generation, 'userId' | 'groupIds'>;
};
/** Null is the built-in assistant, which costs nothing. */
type Wanted = { readonly client: ModelClient; readonly upstream: Generation['upstream']; readonly key: ModelKey };

/** Gathers what an answer needs: the model, the conversation so far, the passages that fit the question. */
@Injectable()
export class PrepareAnswer {
  constructor(
    private readonly models: ModelsService,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly retrieval: RetrievalIndex,
    private readonly documents: DocumentsService,
    private readonly limits: HardLimits,
  ) {}

  /** For an answer whose question is stored. */
  prepare(generation: Generation): Promise<PreparedAnswer> {
    const { orgId, conversationId, questionId, modelKey: key, continued, userId, groupIds } = generation;
    const scope = job.in(orgId);
    const upstream = generation.upstream ?? null;
    const wanted = this.models.client(scope, key).then((client) => ({ client, upstream, key }));
    const asked = { conversationId, questionId, text: null, continued: continued ?? null };
    return this.gather(scope, wanted, { ...asked, asker: { userId, groupIds: groupIds ?? [] } });
  }

  /** For a question that is being stored: reads only, so that it may run beside the transaction and come to nothing. */
  prepareFor(
    scope: OrganisationScope,
    choosing: Promise<ChosenModel>,
    question: AskedQuestion,
  ): Promise<PreparedAnswer> {
    return this.gather(
      scope,
      choosing.then(({ client, upstream, model }) => ({ client: client(), upstream, key: model.key })),
      question,
    );
  }

  private async gather(
    scope: OrganisationScope,
    wanting: Promise<Wanted>,
    question: AskedQuestion,
  ): Promise<PreparedAnswer> {
    const [{ client, upstream, key }, rows, documentCount, limits] = await Promise.all([
      wanting,
      this.messages.page(scope, question.conversationId, { before: undefined, limit: historyMessages }),
      this.documents.searchableCount(scope),
      this.limits.list(scope),
    ]);
    const turns = turnsTo(question, await this.withoutUnsent(scope, rows, question));
    const found =
      documentCount === 0 ? [] : await this.retrieval.search(scope, turns.at(-1)?.text ?? '', passagesPerAnswer);
    const cited = question.continued?.citations ?? [];
    const passages = numbered(found, cited);
    const added = passages
      .filter(({ chunkId }) => !cited.some((citation) => citation.chunkId === chunkId))
      .map(({ number, documentId, chunkId, documentName, heading }) => ({
        number,
        documentId,
        chunkId,
        documentName,
        heading,
      }));
    const citations = [...cited, ...added];
    const bounded = upstream !== null && isBounded(limits, { ...question.asker, model: key });
    return { client, turns, passages, citations, documentCount, isBounded: bounded };
  }

  /** What was refused for its budget was never sent: it goes to no model with a later question either. */
  private async withoutUnsent(
    scope: OrganisationScope,
    rows: readonly MessageRow[],
    asked: AskedQuestion,
  ): Promise<readonly MessageRow[]> {
    const answers = Map.groupBy(
      rows.filter(({ role }) => role === 'assistant'),
      ({ parentId }) => parentId,
    );
    const wordless = [...answers].filter(
      ([id, all]) => id !== asked.questionId && all.every(({ text }) => text === ''),
    );
    const ids = wordless.flatMap(([, all]) => all.flatMap(({ generationId }) => generationId ?? []));
    if (ids.length === 0) return rows;
    const found = Map.groupBy(await this.generations.findMany(scope, ids), ({ questionId }) => questionId);
    return rows.filter(({ _id }) => !isUnsent(found.get(_id) ?? []));
  }
}

/** What the continued text cites keeps its number; the other passages have those that are free. */
function numbered<Found extends { readonly chunkId: ChunkId }>(found: readonly Found[], cited: readonly Citation[]) {
  const numbers = new Map(cited.map(({ chunkId, number }) => [chunkId, number]));
  const taken = new Set(numbers.values());
  let last = 0;
  const nextFree = (): number => {
    do last += 1;
    while (taken.has(last));
    return last;
  };
  return found.map((passage) => ({ ...passage, number: numbers.get(passage.chunkId) ?? nextFree() }));
}

/**
 * Questions with their newest answer that has a text, up to the one to answer. An answer's text is in its row once it
 * has ended.
 */
function turnsTo(asked: AskedQuestion, rows: readonly MessageRow[]): ModelTurn[] {
  const turns: ModelTurn[] = [];
  for (const question of rows.filter(({ role }) => role === 'person')) {
    if (question._id === asked.questionId) return [...turns, { role: 'person', text: question.text }];
    turns.push({ role: 'person', text: question.text });
    const answer = rows.findLast((row) => row.parentId === question._id && row.text !== '');
    if (answer) turns.push({ role: 'assistant', text: answer.text });
  }
  return asked.text === null ? turns : [...turns, { role: 'person', text: asked.text }];
}

/** Only what the text refers to as `[n]` stays a citation. */
export function usedCitations(text: string, citations: readonly Citation[]): Citation[] {
  const used = new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, number]) => Number(number)));
  return citations.filter(({ number }) => used.has(number));
}
