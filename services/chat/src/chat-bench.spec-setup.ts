import type {
  Accepted,
  Audience,
  ChatbotContent,
  ChatbotId,
  ConnectionId,
  ConversationId,
  EventEnvelope,
} from '@parley/contracts';
import type { Blobs } from '@parley/platform/blobs';
import { Counts } from '@parley/platform/counts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import type { Shares } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { jobScope } from '@parley/platform/mongo';
import { testStore } from '@parley/testing';
import {
  ConversationAccess,
  ConversationsRepository,
  ConversationsService,
  MessagesRepository,
  type Viewer,
} from './conversations/index.ts';
import { messageRows } from './conversations/message.collection.ts';
import type { Platform } from '@parley/platform/service';
import { connectionRows } from './connections/connection.collection.ts';
import {
  ConnectionsRepository,
  defaultConnectionIdOf,
  newConnection,
  ReadableConnections,
} from './connections/index.ts';
import { HardLimits, type Reservations } from './budgets/index.ts';
import { CuratedAnswerFinder, CuratedAnswersService } from './curated-answers/index.ts';
import { CuratedAnswersRepository } from './curated-answers/curated-answers.repository.ts';
import { newDocument } from './documents/document.ts';
import { StorageQuota } from './documents/storage-quota.ts';
import type { ChatSettings } from './chat.config.ts';
import { DocumentsRepository } from './documents/documents.repository.ts';
import { DocumentsService } from './documents/index.ts';
import { defaultChatbot } from './chatbots/default-chatbot.ts';
import { ChatbotsRepository, ChatbotsService, TrialsRepository } from './chatbots/index.ts';
import { EmbeddingCalls } from './embeddings/embedding-calls.ts';
import { EmbeddingsRepository } from './embeddings/embeddings.repository.ts';
import { MeaningSearch } from './embeddings/meaning-search.ts';
import { PassageSearch } from './embeddings/index.ts';
import { EmbeddingModels, ModelsService } from './models/index.ts';
import type { Outbound } from './models/outbound.ts';
import { ProvidersRepository } from './models/providers.repository.ts';
import type { ProvidersService } from './models/providers.service.ts';
import { PassageVectors } from './retrieval/index.ts';
import { KeywordIndex } from './retrieval/keyword-index.ts';
import { Passages } from './retrieval/passages.ts';
import { AnswerLimits } from './generations/answer-limits.ts';
import { AnswerPassages } from './generations/answer-passages.ts';
import { Answerers } from './generations/answerers.ts';
import { ApartQuestions } from './generations/apart-questions.ts';
import { AskApart } from './generations/ask-apart.ts';
import { AskTrial } from './generations/ask-trial.ts';
import { AnswerAgain } from './generations/answer-again.ts';
import { CompletionsRepository } from './generations/completions.repository.ts';
import { DiscardMessage } from './generations/discard-message.ts';
import { FinishAnswer, type AnswerEnd, type Ended } from './generations/finish-answer.ts';
import { GenerationQueue } from './generations/generation-queue.ts';
import type { Generation } from './generations/generation.collection.ts';
import { GenerationsRepository } from './generations/generations.repository.ts';
import { PrepareAnswer } from './generations/prepare-answer.ts';
import { RecentTurns } from './generations/recent-turns.ts';
import { SendMessage } from './generations/send-message.ts';
import { StopGeneration } from './generations/stop-generation.ts';

export const everywhere = jobScope('tests');
const none = {} as unknown;
const quota = 1024 ** 3;

/** What is done with questions and answers, on a store of its own, without a worker: answers stay queued. */
export async function chatBench() {
  const store = await testStore();
  const { mongo, work, clock } = store;
  const conversations = new ConversationsRepository(mongo);
  const messages = new MessagesRepository(mongo);
  const generations = new GenerationsRepository(mongo);
  const access = new ConversationAccess(conversations);
  const doorbell = new MemoryDoorbell();
  const answerLimits = new AnswerLimits(new Counts(new MemoryKv()), {
    of: (orgId: string) => orgId,
  } as unknown as Shares);
  const queue = new GenerationQueue(doorbell, answerLimits);
  const retrieval = new KeywordIndex(mongo, clock, work);
  const connectionRepository = new ConnectionsRepository(mongo);
  const readable = new ReadableConnections(connectionRepository);
  const documentRows = new DocumentsRepository(mongo);
  const documents = new DocumentsService(
    documentRows,
    retrieval,
    readable,
    connectionRepository,
    none as Blobs,
    new StorageQuota(mongo, none as Blobs, { storagePerOrganisation: quota } as ChatSettings),
    doorbell,
    work,
    clock,
  );
  const providers = new ProvidersRepository(mongo);
  const models = new ModelsService(providers, none as ProvidersService, none as Outbound, documents, readable);
  const limits = new HardLimits(mongo, { isAlone: true } as Platform, clock);
  const chatbotRows = new ChatbotsRepository(mongo);
  const chatbots = new ChatbotsService(chatbotRows, work, clock);
  const answerers = new Answerers(chatbots, models);
  const curatedRows = new CuratedAnswersRepository(mongo);
  const finder = new CuratedAnswerFinder(curatedRows, { isAlone: true } as Platform);
  const curated = new CuratedAnswersService(curatedRows, finder, chatbots, work, clock);
  const meaning = new MeaningSearch(
    new EmbeddingsRepository(mongo),
    new EmbeddingModels(providers, none as ProvidersService, none as Outbound),
    new PassageVectors(mongo),
    new EmbeddingCalls(limits, none as Reservations, clock),
    work,
    none as Platform,
  );
  const trials = new TrialsRepository(mongo);
  const completions = new CompletionsRepository(mongo);
  const prepare = new PrepareAnswer(
    models,
    new RecentTurns(messages),
    generations,
    new AnswerPassages(finder, new PassageSearch(retrieval, meaning)),
    documents,
    readable,
    limits,
    new ApartQuestions(chatbotRows, trials, completions),
  );
  const asking = [conversations, access, messages, generations, answerers, queue, prepare, work, clock] as const;
  const apart = new AskApart(conversations, messages, generations, queue, prepare, work, clock);
  const sending = new SendMessage(...asking);
  const finishing = new FinishAnswer(generations, conversations, messages, work, clock, answerLimits);
  const keeping = new ConversationsService(conversations, access, work, clock);
  const stopping = new StopGeneration(keeping, access, generations, doorbell);
  stopping.onModuleInit();
  const find = async ({ scope }: Viewer, { answer }: Pick<Accepted, 'answer'>): Promise<Generation> =>
    (await generations.findMany(scope, [answer.generation!.id]))[0]!;
  return {
    ...store,
    conversations,
    access,
    curated,
    messages,
    generations,
    chatbots,
    providers,
    connectionRepository,
    readable,
    documentRows,
    documents,
    retrieval,
    passages: new Passages(retrieval, readable),
    models,
    limits,
    prepare,
    queue,
    sending,
    trials,
    completions,
    answerers,
    apart,
    trying: new AskTrial(trials, answerers, apart),
    answering: new AnswerAgain(...asking),
    stopping,
    discarding: new DiscardMessage(conversations, access, messages, generations, work),
    /** Renames, deletes and restores conversations. */
    keeping,
    doorbell,
    finishing,
    /** By what the search finds the messages of a conversation, oldest first: no read brings it along. */
    searchedBy: (viewer: Viewer, conversationId: ConversationId) =>
      mongo
        .rows(messageRows)
        .within(viewer.scope)
        .find({ conversationId }, { sort: { position: 1 }, fields: ['searchScope', 'searchKeys'] }),
    /** Asks in a new conversation, or in the given one. */
    ask: (
      viewer: Viewer,
      more: { conversationId?: ConversationId; text?: string; chatbotId?: ChatbotId } = {},
    ): Promise<Accepted> => sending.send(viewer, { ...newQuestion(), ...more }),
    /** Puts a document with one passage into the organisation, from which answers may draw. */
    async addDocument(
      { scope, principal }: Viewer,
      text: string,
      connectionId = defaultConnectionIdOf(scope.orgId),
    ): Promise<void> {
      const { orgId } = scope;
      const file = {
        id: newId('document'),
        orgId,
        connectionId,
        name: 'Handbook',
        mediaType: 'text/plain',
        bytes: 9,
      } as const;
      const row = { ...newDocument(file, principal.name, clock.now()), status: 'searchable' as const };
      await work.run(principal, (tx) => documentRows.create(scope, row, tx));
      await retrieval.replace(scope, { id: file.id, name: file.name, connectionId }, [{ heading: null, text }]);
    },
    /** Makes a data connection that only these may read. */
    async addConnection({ scope }: Viewer, audience: Audience = { kind: 'everybody' }): Promise<ConnectionId> {
      const _id = newId('connection');
      const given = { _id, orgId: scope.orgId, name: 'More', source: { kind: 'upload' }, schedule: 'manual' } as const;
      const row = newConnection({ ...given, audience, createdAt: clock.now(), createdBy: null });
      await mongo.rows(connectionRows).within(scope).insert(row);
      return _id;
    },
    /** Makes and publishes a chatbot. */
    async addChatbot(viewer: Viewer, more: Partial<ChatbotContent>): Promise<ChatbotId> {
      const content = { ...defaultChatbot(viewer.scope.orgId).draft, name: 'Grid Engineer', ...more };
      const { id, revision } = await chatbots.create({ ...viewer, body: { id: newId('chatbot'), content } } as never);
      const published = { params: { chatbotId: id }, body: { revision, note: '' } };
      await chatbots.publish({ ...viewer, ...published } as never);
      return id;
    },
    /** The generation of an answer. */
    find,
    /** Claims the answer as a worker does, and ends it. */
    async end(
      viewer: Viewer,
      asked: Pick<Accepted, 'answer'>,
      end: string | Partial<AnswerEnd> = 'Three quiet herons.',
    ): Promise<Ended | null> {
      const now = clock.now();
      const claim = { seen: await find(viewer, asked), lease: { holder: 'worker', until: now }, ended: null, now };
      return finishing.finish(
        (await generations.claim(everywhere, claim))!,
        anEnd(typeof end === 'string' ? { text: end } : end),
      );
    },
    /** What was told of a conversation, in the order of its sequence. */
    eventsOf: async (id: ConversationId): Promise<EventEnvelope[]> =>
      (await store.recorded())
        .filter(({ subject }) => subject === id)
        .toSorted((one, other) => one.sequence - other.sequence),
  };
}

export const newQuestion = () => ({
  conversationId: newId('conversation'),
  messageId: newId('message'),
  answerId: newId('message'),
  generationId: newId('generation'),
  text: 'How many herons?',
});

export const anEnd = (more: Partial<AnswerEnd> = {}): AnswerEnd => ({
  status: 'done',
  text: 'Three quiet herons.',
  citations: [],
  thoughts: null,
  usage: { inputTokens: 3, outputTokens: 5, estimated: false },
  failure: null,
  failureDetail: null,
  firstTokenAt: null,
  ...more,
});
