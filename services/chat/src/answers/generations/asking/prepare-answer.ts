import { Injectable } from '@nestjs/common';
import { withValues, type InstructionValues } from '@parley/contracts/chatbot-instructions';
import type { ChatbotContent, ChatbotId, Citation, MessageFile, ModelKey, ProjectKnowledge } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { ChatbotsRepository, defaultChatbot } from '../../../assistants/chatbots/index.ts';
import { HardLimits, isBounded } from '../../../assistants/budgets/index.ts';
import type { Standing, PathRow } from '../../../conversations/index.ts';
import {
  ModelsService,
  NothingFound,
  readingOf,
  type ModelClient,
  type ModelMessage,
  type NumberedPassage,
  type Reading,
} from '../../../assistants/models/index.ts';
import type { FoundPassage } from '../../../knowledge/retrieval/index.ts';
import { askOf, kindOf, type Ask, type Asker, type ChatAsk } from '../rows/ask.ts';
import { ApartQuestions, type CompletionWishes } from './apart-questions.ts';
import { gatherMaterial } from './answer-material.ts';
import { AnswerPassages } from './answer-passages.ts';
import { AnswerSources } from './answer-sources.ts';
import { hasContent } from './fitting-passages.ts';
import type { Answerer } from './answerers.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { isUnsent } from '../rows/generation.ts';
import { GenerationsRepository, type FallbackModel } from '../rows/generations.repository.ts';
import { messagesTo, type PathMessage } from './path-messages.ts';
import { RecentMessages } from './recent-messages.ts';

const job = jobScope('workers read what an answer needs');

export type PreparedAnswer = {
  readonly client: ModelClient;
  /** With their values. */
  readonly instructions: string;
  readonly temperature: number | null;
  /** Requested by a program; null: the model server's limit applies. */
  readonly maxOutputTokens: number | null;
  readonly stops: readonly string[];
  readonly onlyFromDocuments: boolean;
  readonly path: readonly ModelMessage[];
  readonly passages: readonly (NumberedPassage & Omit<FoundPassage, 'coverage'>)[];
  readonly citations: readonly Citation[];
  readonly documentCount: number;
  /** Missing if the model gets no instructions of a project. */
  readonly projectInstructions?: true;
  /** Missing if the answer searched nothing of a project. */
  readonly projectKnowledge?: ProjectKnowledge;
  /** The size of the model's context. */
  readonly contextTokens: number;
  /** True if a hard limit applies: then budget is reserved before the model is asked. */
  readonly isBounded: boolean;
  /** True while it isn't known if the model accepts images: if it refuses those of the question, the answer ends. */
  readonly triesImages: boolean;
};

/** Answers on a model; `upstream` is null for the built-in assistant, which costs nothing. */
type Wanted = {
  readonly chatbotId: ChatbotId;
  readonly content: ChatbotContent;
  readonly client: ModelClient;
  readonly upstream: Generation['upstream'];
  readonly key: ModelKey;
  readonly reading: Reading;
};

/** Gathers what an answer needs: the model, the conversation so far, the passages that match the question. */
@Injectable()
export class PrepareAnswer {
  constructor(
    private readonly models: ModelsService,
    private readonly recent: RecentMessages,
    private readonly generations: GenerationsRepository,
    private readonly found: AnswerPassages,
    private readonly sources: AnswerSources,
    private readonly limits: HardLimits,
    private readonly chatbots: ChatbotsRepository,
    private readonly apart: ApartQuestions,
  ) {}

  /** Prepares an answer whose question is stored. */
  async prepare(generation: Generation): Promise<PreparedAnswer> {
    const scope = job.in(generation.orgId);
    return this.gather(scope, this.wanted(scope, generation), askOf(generation));
  }

  /**
   * Reads the conversation ahead for its next question, after an answer has ended. Does nothing for questions outside
   * of chats.
   */
  async readAhead(
    ended: Generation,
    { sequence, leaf }: { readonly sequence: number; readonly leaf: Standing | null },
  ): Promise<void> {
    if (leaf && kindOf(ended) === 'chat') await this.recent.readAhead(job, ended, { sequence, leaf });
  }

  /** Returns the model that the chatbot names in case the first one fails; null if it isn't offered any more. */
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

  /** Returns the chatbot from when the question was asked: its version then, or the content stored with a trial. */
  private async wanted(scope: OrganisationScope, generation: Generation): Promise<Wanted> {
    const { modelKey: key, chatbot } = generation;
    const [client, content, reading] = await Promise.all([
      this.models.client(scope, key),
      this.content(scope, generation),
      this.models.reading(scope, key),
    ]);
    const chatbotId = chatbot?.id ?? defaultChatbot(generation.orgId)._id;
    return { chatbotId, content, client, upstream: generation.upstream ?? null, key, reading };
  }

  private content(scope: OrganisationScope, generation: Generation): Promise<ChatbotContent> {
    const ask = askOf(generation);
    return ask.kind === 'trial'
      ? this.apart.of('trial').content(scope, ask.trialId)
      : this.chatbots.content(scope, generation.chatbot ?? null);
  }

  /**
   * Prepares the answer to a question that is being stored. Runs beside the transaction, and its result can be dropped.
   * Writes nothing of the chat: at most, a model embeds the question and searched files are queued for embedding.
   */
  prepareFor(scope: OrganisationScope, choosing: Promise<Answerer>, ask: Ask): Promise<PreparedAnswer> {
    return this.gather(
      scope,
      choosing.then(({ client, upstream, model, chatbot: { id: chatbotId, content } }) => ({
        chatbotId,
        content,
        client: client(),
        upstream,
        key: model.key,
        reading: readingOf(model),
      })),
      ask,
    );
  }

  private async gather(scope: OrganisationScope, wanting: Promise<Wanted>, ask: Ask): Promise<PreparedAnswer> {
    const [wanted, wishes, ofChatbot, limits, project] = await Promise.all([
      wanting,
      this.wishes(scope, ask),
      this.sources.ofChatbot(scope, ask.asker, wanting),
      this.limits.list(scope),
      this.recent.project(scope, ask),
    ]);
    const { within, documentCount, projectKnowledge } = await this.sources.withProject(scope, ofChatbot, project);
    const { chatbotId, content, client, upstream, key } = wanted;
    const { onlyFromDocuments } = content.knowledge;
    const own = withValues(content.instructions, valuesOf(ask.asker));
    const ofProject = inBlock(project.instructions);
    const instructions = [own, ofProject, wishes.instructions].filter((text) => text !== '').join('\n\n');
    const reading = readingFor(ask, wanted);
    const material = await gatherMaterial(this.found, scope, {
      ask,
      answerer: { ...wanted, reading },
      wishes,
      within,
      most: documentCount === 0 ? 0 : content.knowledge.passages,
      ofProject: project.files,
      instructions,
    });
    const { path, passages, citations, isFound } = material;
    const isUnanswered = onlyFromDocuments && !isFound && !path.some(hasContent);
    return {
      client: isUnanswered ? nothingFound : client,
      instructions,
      temperature: wishes.temperature ?? content.temperature,
      maxOutputTokens: wishes.maxOutputTokens,
      stops: wishes.stops,
      onlyFromDocuments,
      path,
      passages,
      citations,
      documentCount,
      ...(ofProject !== '' && { projectInstructions: true }),
      ...(projectKnowledge && { projectKnowledge }),
      contextTokens: reading.contextTokens,
      triesImages: reading.images?.accepts === 'unknown',
      isBounded: !isUnanswered && upstream !== null && isBounded(limits, { ...ask.asker, model: key, chatbotId }),
    };
  }

  /** Returns the question, the parameters of a program, and the files of the path before the model's messages. */
  private async wishes(scope: OrganisationScope, ask: Ask): Promise<Wishes> {
    if (ask.kind === 'completion')
      return { ...(await this.apart.of('completion').find(scope, ask.completionId)), before: [] };
    return { ...nothingWished, ...(await this.path(scope, ask, ask.kind === 'chat' ? ask.fresh : null)) };
  }

  private async path(
    scope: OrganisationScope,
    ask: Ask,
    fresh: ChatAsk['fresh'],
  ): Promise<Pick<Wishes, 'path' | 'before'>> {
    const rows = fresh
      ? await this.recent.before(scope, ask.conversationId, fresh.before)
      : await this.recent.upTo(scope, ask);
    const [told, before, files] = await Promise.all([
      this.withoutUnsent(scope, rows, ask),
      this.recent.filesBefore(scope, ask, { rows, fresh }),
      fresh?.files ?? [],
    ]);
    return {
      path: messagesTo({ questionId: ask.questionId, asked: fresh && { text: fresh.text, files } }, told),
      before,
    };
  }

  /**
   * Leaves out questions all of whose answers were refused by budgets: no model got them, so later prompts don't have
   * them. Answers on other paths count too.
   */
  private async withoutUnsent(
    scope: OrganisationScope,
    rows: readonly PathRow[],
    asked: Ask,
  ): Promise<readonly PathRow[]> {
    const answers = Map.groupBy(
      rows.filter(({ role }) => role === 'assistant'),
      ({ parentId }) => parentId,
    );
    const wordless = [...answers].filter(
      ([id, all]) => id !== asked.questionId && all.every(({ text }) => text === ''),
    );
    if (wordless.length === 0) return rows;
    const questions = wordless.map(([id]) => id);
    const ids = await this.recent.generationsOf(scope, asked, questions);
    const found = Map.groupBy(await this.generations.findMany(scope, ids), ({ questionId }) => questionId);
    return rows.filter(({ _id }) => !isUnsent(found.get(_id) ?? []));
  }
}

const nothingWished = { instructions: '', temperature: null, maxOutputTokens: null, stops: [] } as const;
const nothingFound = new NothingFound();

type Wishes = Omit<CompletionWishes, 'path'> & {
  readonly path: readonly PathMessage[];
  readonly before: readonly MessageFile[];
};

/** Returns how the answer reads files: without images, if only their names were requested (`note`). */
const readingFor = (ask: Ask, { reading }: Wanted): Reading =>
  ask.kind === 'chat' && ask.images === 'note' ? { ...reading, images: null } : reading;

/** Puts the instructions of a project in their own element, which their text can't close. */
const inBlock = (text: string): string =>
  text.trim() === ''
    ? ''
    : `<project-instructions>\n${text.replaceAll(/<(?=\/?project-instructions\b)/gi, '&lt;')}\n</project-instructions>`;

/** Returns values for instructions; today's date is in UTC. */
const valuesOf = ({ name, organisationName, locale }: Asker): InstructionValues => ({
  'org.name': organisationName,
  'person.name': name,
  'person.locale': locale,
  today: new Date().toISOString().slice(0, 10),
});
