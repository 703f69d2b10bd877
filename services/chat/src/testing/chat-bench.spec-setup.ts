import type { Accepted, Audience, ChatbotContent, ChatbotId, ConnectionId, ConversationId } from '@parley/contracts';
import type { Blobs } from '@parley/platform/blobs';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { jobScope } from '@parley/platform/mongo';
import { testStore } from '@parley/testing';
import type { Reloads } from '../reloads.ts';
import {
  ConversationAccess,
  ConversationLists,
  ConversationsRepository,
  ConversationsService,
  FileReferences,
  MessagePaths,
  MessagePlaces,
  MessagesRepository,
  OpenPaths,
  ProjectAccess,
  ReadingPlaces,
  type Viewer,
} from '../conversations/index.ts';
import { ConversationMarks } from '../conversations/conversation-marks.ts';
import { MessageDeletionService } from '../answers/message-deletion/message-deletion.service.ts';
import { messageRows } from '../conversations/message.collection.ts';
import type { Platform } from '@parley/platform/service';
import type { EventEnvelope } from '@parley/protocol';
import { connectionRows } from '../knowledge/connections/connection.collection.ts';
import {
  ConnectionsRepository,
  defaultConnectionIdOf,
  newConnection,
  ReadableConnections,
} from '../knowledge/connections/index.ts';
import { HardLimits, type Reservations } from '../assistants/budgets/index.ts';
import { CuratedAnswerFinder, CuratedAnswersService } from '../knowledge/curated-answers/index.ts';
import { CuratedAnswersRepository } from '../knowledge/curated-answers/curated-answers.repository.ts';
import { newDocument } from '../knowledge/documents/rows/document.ts';
import { StorageQuota } from '../knowledge/documents/storing/storage-quota.ts';
import type { ChatSettings } from '../chat.config.ts';
import { DocumentsRepository } from '../knowledge/documents/rows/documents.repository.ts';
import { DocumentsService } from '../knowledge/documents/index.ts';
import { defaultChatbot } from '../assistants/chatbots/default-chatbot.ts';
import { ChatbotsRepository, ChatbotsService } from '../assistants/chatbots/index.ts';
import { FileSearch, FileUses } from '../knowledge/files/index.ts';
import { FilePassages } from '../knowledge/files/file-passages.ts';
import { imagesInMemory } from './seen-images.spec-setup.ts';
import { FilesRepository } from '../knowledge/files/files.repository.ts';
import { EmbeddingCalls } from '../knowledge/embeddings/embedding-calls.ts';
import { EmbeddingsRepository } from '../knowledge/embeddings/embeddings.repository.ts';
import { MeaningSearch } from '../knowledge/embeddings/meaning-search.ts';
import { PassageSearch } from '../knowledge/embeddings/index.ts';
import { EmbeddingModels, ModelsService } from '../assistants/models/index.ts';
import type { Outbound } from '../assistants/models/outbound.ts';
import { ProvidersRepository } from '../assistants/models/providers.repository.ts';
import type { ProvidersService } from '../assistants/models/providers.service.ts';
import { PassageVectors } from '../knowledge/retrieval/index.ts';
import { KeywordIndex } from '../knowledge/retrieval/keyword-index.ts';
import { Passages } from '../knowledge/retrieval/passages.ts';
import { AnswerLimits } from '../answers/generations/asking/answer-limits.ts';
import { AnswerPassages } from '../answers/generations/asking/answer-passages.ts';
import { AnswerSources } from '../answers/generations/asking/answer-sources.ts';
import { Answerers } from '../answers/generations/asking/answerers.ts';
import { ApartQuestions } from '../answers/generations/asking/apart-questions.ts';
import { AskApart } from '../answers/generations/asking/ask-apart.ts';
import { AskTrial } from '../answers/trials/ask-trial.ts';
import { AskInChat } from '../answers/generations/asking/ask-in-chat.ts';
import { StoreAnswer } from '../answers/generations/asking/store-answer.ts';
import { TrialsRepository } from '../answers/trials/trials.repository.ts';
import { AnswerAgain } from '../answers/generations/asking/answer-again.ts';
import { CompletionsRepository } from '../answers/completions/completions.repository.ts';
import { DiscardMessage } from '../answers/generations/asking/discard-message.ts';
import { FinishAnswer, type Ended } from '../answers/generations/writing/finish-answer.ts';
import type { AnswerEnd } from '../answers/generations/rows/answer-end.ts';
import { FirstWords, type TitleWriter } from '../answers/titles/index.ts';
import { GenerationQueue } from '../answers/generations/asking/generation-queue.ts';
import type { Generation } from '../answers/generations/rows/generation.collection.ts';
import { GenerationsRepository } from '../answers/generations/rows/generations.repository.ts';
import { PrepareAnswer } from '../answers/generations/asking/prepare-answer.ts';
import { RecentMessages } from '../answers/generations/asking/recent-messages.ts';
import { OfferedModelsService } from '../answers/offered-models/offered-models.service.ts';
import { SendMessage } from '../answers/generations/asking/send-message.ts';
import { StopGeneration } from '../answers/generations/asking/stop-generation.ts';

export const everywhere = jobScope('tests');
const none = {} as unknown;
const noTitles = {
  begin: () => undefined,
  wrote: () => null,
  stored: () => undefined,
  end: () => undefined,
} as unknown as TitleWriter;
const quota = 1024 ** 3;
export const wordsOnly = { nearest: async () => null } as never;
/** What is done with questions and answers, on a store of its own, without a worker: answers stay queued. */
export async function chatBench() {
  const store = await testStore();
  const { mongo, work, clock, doorbell, outbox } = store;
  const [conversations, messages] = [new ConversationsRepository(mongo), new MessagesRepository(mongo)];
  const [paths, reading] = [new MessagePaths(mongo), new ReadingPlaces(mongo)];
  const [references, filePassages] = [new FileReferences(mongo), new FilePassages(mongo)];
  const fileRows = new FilesRepository(mongo);
  const seen = imagesInMemory(fileRows);
  const uses = new FileUses(fileRows, clock);
  const [generations, access] = [new GenerationsRepository(mongo), new ConversationAccess(conversations)];
  const projects = new ProjectAccess(mongo);
  const answerLimits = new AnswerLimits(new Counts(new MemoryKv()));
  const queue = new GenerationQueue(doorbell, answerLimits, new FirstWords());
  const retrieval = new KeywordIndex(mongo, clock, work);
  const connectionRepository = new ConnectionsRepository(mongo);
  const readable = new ReadableConnections(connectionRepository);
  const documentRows = new DocumentsRepository(mongo);
  const documents = new DocumentsService(
    documentRows,
    retrieval,
    readable,
    connectionRepository,
    new StorageQuota(mongo, none as Blobs, { storagePerOrganisation: quota } as ChatSettings, work, clock),
    work,
    clock,
  );
  const providers = new ProvidersRepository(mongo);
  const models = new ModelsService(providers, none as ProvidersService, none as Outbound);
  const limits = new HardLimits(mongo, { isAlone: true } as Platform, clock, {} as Reloads);
  const chatbotRows = new ChatbotsRepository(mongo);
  const chatbots = new ChatbotsService(chatbotRows, work, clock);
  const answerers = new Answerers(chatbots, models);
  const curatedRows = new CuratedAnswersRepository(mongo);
  const finder = new CuratedAnswerFinder(curatedRows, {} as Reloads);
  const curated = new CuratedAnswersService(curatedRows, finder, chatbots, work, clock);
  const meaning = new MeaningSearch(
    new EmbeddingsRepository(mongo),
    new EmbeddingModels(providers, none as ProvidersService, none as Outbound),
    new PassageVectors(mongo),
    new EmbeddingCalls(limits, none as Reservations, clock),
    work,
    none as Platform,
    none as ChatSettings,
  );
  const apartQuestions = new ApartQuestions();
  const trials = new TrialsRepository(mongo, apartQuestions);
  const completions = new CompletionsRepository(mongo, apartQuestions, references, uses);
  const preparing = (asked: ModelsService) =>
    new PrepareAnswer(
      asked,
      new RecentMessages(paths, references, projects, uses),
      generations,
      new AnswerPassages(finder, new PassageSearch(retrieval, meaning), new FileSearch(filePassages, wordsOnly), seen),
      new AnswerSources(readable, documents),
      limits,
      chatbotRows,
      apartQuestions,
    );
  const prepare = preparing(models);
  const places = new MessagePlaces(conversations, messages, paths, work);
  const storing = new StoreAnswer(messages, generations, answerLimits, reading);
  const asking = new AskInChat(access, messages, generations, answerers, queue, prepare, storing, work, clock);
  const apart = new AskApart(conversations, queue, prepare, storing, work, clock);
  const sending = new SendMessage(conversations, access, paths, places, asking, uses, projects);
  const finishing = new FinishAnswer(generations, conversations, messages, work, clock, answerLimits, noTitles);
  const keeping = new ConversationsService(conversations, new ConversationLists(mongo), access, work, clock);
  const opened = new OpenPaths(paths, reading);
  const stopping = new StopGeneration(keeping, access, generations, doorbell, paths);
  stopping.onModuleInit();
  const find = async ({ scope }: Viewer, { answer }: Pick<Accepted, 'answer'>): Promise<Generation> =>
    (await generations.findMany(scope, [answer.generation!.id]))[0]!;
  return {
    seen,
    ...store,
    projects,
    conversations,
    access,
    curated,
    messages,
    paths,
    open: opened,
    generations,
    references,
    fileRows,
    filePassages,
    uses,
    chatbots,
    providers,
    connectionRepository,
    readable,
    documentRows,
    documents,
    retrieval,
    passages: new Passages(retrieval, readable),
    offeredModels: new OfferedModelsService(models, documents, readable, { of: async () => () => undefined } as never),
    models,
    limits,
    prepare,
    /** Prepares answers of other models. */
    preparing,
    queue,
    firstWords: queue.firstWords,
    sending,
    trials,
    completions,
    answerers,
    apart,
    apartQuestions,
    trying: new AskTrial(trials, answerers, apart),
    answering: new AnswerAgain(conversations, access, messages, places, generations, asking),
    stopping,
    discarding: new DiscardMessage(conversations, access, messages, generations, keeping, paths, work),
    /** Renames, deletes and restores conversations. */
    keeping,
    /** Pins and archives conversations. */
    marking: new ConversationMarks(mongo, access, work),
    /** Deletes and restores messages. */
    deleting: new MessageDeletionService(conversations, keeping, access, messages, paths, opened, work, clock),
    doorbell,
    outbox,
    finishing,
    /** By what the search finds the messages of a conversation, oldest first: no read brings it along. */
    searchedBy: (viewer: Viewer, conversationId: ConversationId) =>
      mongo
        .rows(messageRows)
        .within(viewer.scope)
        .find({ conversationId }, { sort: { position: 1 }, fields: ['searchScope', 'searchKeys'] }),
    /** Asks in a new conversation, or in the given one. */
    ask: (viewer: Viewer, more: Partial<Parameters<SendMessage['send']>[1]> = {}): Promise<Accepted> =>
      sending.send(viewer, { ...newQuestion(), ...more }),
    /** Puts a document with one passage into the organisation, from which answers may draw. */
    async addDocument(
      { scope, principal }: Viewer,
      text: string,
      connectionId = defaultConnectionIdOf(scope.orgId),
    ): Promise<void> {
      const { orgId } = scope;
      const id = newId('document');
      const file = { id, orgId, connectionId, name: 'Handbook', mediaType: 'text/plain', bytes: 9 } as const;
      const row = { ...newDocument(file, principal.name, clock.now()), status: 'searchable' as const };
      await work.run(principal, (tx) => documentRows.create(scope, row, tx));
      await retrieval.replace(scope, { id: file.id, name: file.name, connectionId }, [{ heading: null, text }]);
    },
    /** Makes a data connection that only these may read. */
    async addConnection(
      { scope }: Viewer,
      audience: Audience = { kind: 'everybody' },
      name = 'More',
    ): Promise<ConnectionId> {
      const _id = newId('connection');
      const given = { _id, orgId: scope.orgId, name, source: { kind: 'upload' }, schedule: 'manual' } as const;
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
