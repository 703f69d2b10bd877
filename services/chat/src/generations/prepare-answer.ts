import { Injectable } from '@nestjs/common';
import { withValues, type InstructionValues } from '@parley/contracts/chatbot-instructions';
import {
  Problem,
  type ChatbotContent,
  type ChatbotId,
  type ChunkId,
  type Citation,
  type ConversationId,
  type MessageId,
  type ModelKey,
} from '@parley/contracts';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { defaultChatbot } from '../chatbots/index.ts';
import { HardLimits, isBounded } from '../budgets/index.ts';
import type { CuratedPassage } from '../curated-answers/index.ts';
import type { TurnRow } from '../conversations/index.ts';
import { ReadableConnections } from '../connections/index.ts';
import { DocumentsService } from '../documents/index.ts';
import {
  ModelsService,
  NothingFound,
  searchedOf,
  type ModelClient,
  type ModelTurn,
  type NumberedPassage,
} from '../models/index.ts';
import type { FoundPassage } from '../retrieval/index.ts';
import { ApartQuestions } from './apart-questions.ts';
import { AnswerPassages } from './answer-passages.ts';
import type { Answerer } from './answerers.ts';
import type { CompletionRow } from './completion.collection.ts';
import type { Generation } from './generation.collection.ts';
import { isUnsent } from './generation.ts';
import { GenerationsRepository, type FallbackModel } from './generations.repository.ts';
import { RecentTurns } from './recent-turns.ts';

const job = jobScope('workers read what an answer needs');

export type PreparedAnswer = {
  readonly client: ModelClient;
  /** With their values. */
  readonly instructions: string;
  readonly temperature: number | null;
  /** Asked for by a program; null leaves it to the model server. */
  readonly maxOutputTokens: number | null;
  readonly stops: readonly string[];
  readonly onlyFromDocuments: boolean;
  readonly turns: readonly ModelTurn[];
  readonly passages: readonly (NumberedPassage & Omit<FoundPassage, 'coverage'>)[];
  readonly citations: readonly Citation[];
  readonly documentCount: number;
  /** A hard limit counts it: budget is held before the model is asked. */
  readonly isBounded: boolean;
};

/**
 * `text` is that of a question that may not be stored yet; `continued` the answer to go on from; `before` the sequence of
 * the conversation before a new question.
 */
export type AskedQuestion = {
  /** What a program asks for: its messages are the conversation. */
  readonly wishes?: CompletionRow;
  readonly conversationId: ConversationId;
  readonly questionId: MessageId;
  readonly text: string | null;
  readonly before?: Promise<number>;
  readonly continued: Generation['continued'];
  readonly asker: Pick<Generation, 'userId' | 'groupIds' | 'locale'> & NonNullable<Generation['asker']>;
};
/** Null is the built-in assistant, which costs nothing. */
type Wanted = {
  readonly chatbotId: ChatbotId;
  readonly content: ChatbotContent;
  readonly client: ModelClient;
  readonly upstream: Generation['upstream'];
  readonly key: ModelKey;
};

/** Gathers what an answer needs: the model, the conversation so far, the passages that fit the question. */
@Injectable()
export class PrepareAnswer {
  constructor(
    private readonly models: ModelsService,
    private readonly recent: RecentTurns,
    private readonly generations: GenerationsRepository,
    private readonly found: AnswerPassages,
    private readonly documents: DocumentsService,
    private readonly readable: ReadableConnections,
    private readonly limits: HardLimits,
    private readonly apart: ApartQuestions,
  ) {}

  /** For an answer whose question is stored. */
  async prepare(generation: Generation): Promise<PreparedAnswer> {
    const { conversationId, questionId, continued, userId, groupIds, locale } = generation;
    const scope = job.in(generation.orgId);
    const asker = { userId, groupIds: groupIds ?? [], locale, ...(generation.asker ?? nobodyNamed) };
    const wishes = await this.apart.wishes(scope, generation);
    const asked = { conversationId, questionId, text: null, continued: continued ?? null, asker, wishes };
    return this.gather(scope, this.wanted(scope, generation), asked);
  }

  /** What the next question of its conversation needs, now that the answer has ended. Of what is asked apart there is none. */
  async readAhead(ended: Generation, sequence: number): Promise<void> {
    if (!ended.trialId && !ended.completionId) await this.recent.readAhead(job, ended, sequence);
  }

  /** The model that its chatbot names for when the first one fails; null where it is not offered any more. */
  async fallbackOf({ orgId, fallback }: Generation): Promise<FallbackModel | null> {
    if (!fallback) return null;
    const offered = await this.models.choice(job.in(orgId));
    try {
      const { model, upstream } = offered(fallback);
      return { modelKey: model.key, modelLabel: model.label, upstream };
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  }

  /** As it was when it was asked for: in the version of then, of a trial with the content of then. */
  private async wanted(scope: OrganisationScope, generation: Generation): Promise<Wanted> {
    const { modelKey: key, chatbot } = generation;
    const [client, content] = await Promise.all([
      this.models.client(scope, key),
      this.apart.content(scope, generation),
    ]);
    const chatbotId = chatbot?.id ?? defaultChatbot(generation.orgId)._id;
    return { chatbotId, content, client, upstream: generation.upstream ?? null, key };
  }

  /** For a question that is being stored: reads only, so that it may run beside the transaction and come to nothing. */
  prepareFor(scope: OrganisationScope, choosing: Promise<Answerer>, question: AskedQuestion): Promise<PreparedAnswer> {
    return this.gather(
      scope,
      choosing.then(({ client, upstream, model, chatbot: { id: chatbotId, content } }) => ({
        chatbotId,
        content,
        client: client(),
        upstream,
        key: model.key,
      })),
      question,
    );
  }

  private async gather(
    scope: OrganisationScope,
    wanting: Promise<Wanted>,
    question: AskedQuestion,
  ): Promise<PreparedAnswer> {
    const { wishes } = question;
    const [{ chatbotId, content, client, upstream, key }, turns, { within, documentCount }, limits] = await Promise.all(
      [
        wanting,
        wishes?.turns ?? this.turns(scope, question),
        this.sources(scope, question.asker, wanting),
        this.limits.list(scope),
      ],
    );
    const { knowledge, temperature } = content;
    const found = await this.found.find(scope, {
      chatbotId,
      asker: question.asker,
      question: turns.at(-1)?.text ?? '',
      searched: searchedOf(turns),
      within,
      most: documentCount === 0 ? 0 : knowledge.passages,
      isQuoted: upstream === null || knowledge.onlyFromDocuments,
    });
    const cited = question.continued?.citations ?? [];
    const passages = numbered(found, cited);
    const citations = [...cited, ...newCitations(passages, cited)];
    const { onlyFromDocuments } = knowledge;
    const isUnanswered = onlyFromDocuments && passages.length === 0;
    const told = withValues(content.instructions, valuesOf(question.asker));
    return {
      client: isUnanswered ? nothingFound : client,
      instructions: [told, wishes?.instructions ?? ''].filter((text) => text !== '').join('\n\n'),
      temperature: wishes?.temperature ?? temperature,
      maxOutputTokens: wishes?.maxOutputTokens ?? null,
      stops: wishes?.stops ?? [],
      onlyFromDocuments,
      turns,
      passages,
      citations,
      documentCount,
      isBounded: !isUnanswered && upstream !== null && isBounded(limits, { ...question.asker, model: key, chatbotId }),
    };
  }

  /** What the chatbot may look into of what the asker may read: as it is now, whoever writes the answer. */
  private async sources(scope: OrganisationScope, asker: AskedQuestion['asker'], wanting: Promise<Wanted>) {
    const { userId, role, groupIds } = asker;
    const reader = { userId, organisation: { role, groupIds: groupIds ?? [] } };
    const [{ content }, readable] = await Promise.all([wanting, this.readable.of(scope, reader)]);
    const { connectionIds } = content.knowledge;
    const within = connectionIds ? readable.filter((id) => connectionIds.includes(id)) : readable;
    return { within, documentCount: await this.documents.searchableCount(scope, within) };
  }

  private async turns(scope: OrganisationScope, question: AskedQuestion): Promise<ModelTurn[]> {
    const rows = await this.recent.list(scope, question.conversationId, question.before);
    return turnsTo(question, await this.withoutUnsent(scope, rows, question));
  }

  /** What was refused for its budget was never sent: it goes to no model with a later question either. */
  private async withoutUnsent(
    scope: OrganisationScope,
    rows: readonly TurnRow[],
    asked: AskedQuestion,
  ): Promise<readonly TurnRow[]> {
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

const nobodyNamed = { name: '', organisationName: '' };
const nothingFound = new NothingFound();

/** Today is a day in UTC. */
const valuesOf = ({ name, organisationName, locale }: AskedQuestion['asker']): InstructionValues => ({
  'org.name': organisationName,
  'person.name': name,
  'person.locale': locale,
  today: new Date().toISOString().slice(0, 10),
});

/** What the continued text does not cite yet. */
const newCitations = (
  passages: readonly ((CuratedPassage | FoundPassage) & { readonly number: number })[],
  cited: readonly Citation[],
): Citation[] =>
  passages
    .filter(({ chunkId }) => !cited.some((citation) => citation.chunkId === chunkId))
    .map(({ number, documentId, chunkId, documentName, heading, place, ...passage }) => ({
      number,
      documentId,
      chunkId,
      documentName,
      heading,
      ...(place && { place }),
      ...('curated' in passage && { curated: passage.curated }),
    }));

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
function turnsTo(asked: AskedQuestion, rows: readonly TurnRow[]): ModelTurn[] {
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
