import { Injectable } from '@nestjs/common';
import type { ConnectionId, ConversationId, GenerationId, MessageFile, MessageId } from '@parley/contracts';
import { isStoreAway, type OrganisationScope, type PlatformScope } from '@parley/platform/mongo';
import { LRUCache } from 'lru-cache';
import {
  FileReferences,
  MessagePaths,
  ProjectAccess,
  type Standing,
  type PathRow,
} from '../../../conversations/index.ts';
import { FileUses } from '../../../knowledge/files/index.ts';
import type { Ask, Before, ChatAsk } from '../rows/ask.ts';
import type { Generation } from '../rows/generation.collection.ts';

/** Limits the messages of the path before a question; the question is told besides. */
const historyMessages = 40;
/** Of all conversations; one with much more text than a model is told of it has none. */
const mostCharacters = 2_000_000;
const mostOfOne = 100_000;
const keptMs = 10 * 60_000;

/** Lists what a project adds to what the chatbot gives its answers. */
export type GivenByProject = {
  readonly instructions: string;
  /** Their asker need not be able to read them. */
  readonly connectionIds: readonly ConnectionId[];
  /** They are searched, as files of the chat are. */
  readonly files: readonly Pick<MessageFile, 'id' | 'name'>[];
};
const givesNothing: GivenByProject = { instructions: '', connectionIds: [], files: [] };

/** The last messages of the path to one of them, when its conversation had that sequence. */
type Ahead = { readonly sequence: number; readonly leafId: MessageId; readonly rows: readonly PathRow[] };

/**
 * What a model is told of conversations. It may be read when an answer ends, ahead of the next question, which then need
 * not wait for it. What was read ahead counts for the sequence of then only: whatever changes a message takes one.
 */
@Injectable()
export class RecentMessages {
  private readonly ahead = new LRUCache<ConversationId, Ahead>({
    maxSize: mostCharacters,
    maxEntrySize: mostOfOne,
    sizeCalculation: ({ rows }) => rows.reduce((sum, { text }) => sum + text.length, 1),
    ttl: keptMs,
    ttlAutopurge: true,
  });

  constructor(
    private readonly paths: MessagePaths,
    private readonly references: FileReferences,
    private readonly projects: ProjectAccess,
    private readonly uses: FileUses,
  ) {}

  /** The last messages of the path that a new question follows, ascending, once the store has let it in. */
  async before(
    scope: OrganisationScope,
    conversationId: ConversationId,
    before: Promise<Before>,
  ): Promise<readonly PathRow[]> {
    const { sequence, leaf } = await before;
    if (!leaf) return [];
    const ahead = this.ahead.get(conversationId);
    if (ahead && ahead.sequence === sequence && ahead.leafId === leaf._id) return ahead.rows;
    return this.paths.messages(scope, conversationId, { leaf, limit: historyMessages });
  }

  /** The last messages of the path that a stored question follows, then the question; ascending. */
  async upTo(
    scope: OrganisationScope,
    { conversationId, questionId }: Pick<Ask, 'conversationId' | 'questionId'>,
  ): Promise<readonly PathRow[]> {
    const leaf = await this.paths.locate(scope, conversationId, questionId);
    return leaf ? this.paths.messages(scope, conversationId, { leaf, limit: historyMessages + 1 }) : [];
  }

  /** The files of the path before these messages of it: of a path that is not longer there are none. */
  async filesBefore(
    scope: OrganisationScope,
    { conversationId, questionId }: Pick<Ask, 'conversationId' | 'questionId'>,
    { rows, fresh }: { readonly rows: readonly PathRow[]; readonly fresh: ChatAsk['fresh'] },
  ): Promise<MessageFile[]> {
    if (rows.length < historyMessages) return [];
    const leaf = fresh ? (await fresh.before).leaf : await this.paths.locate(scope, conversationId, questionId);
    if (!leaf) return [];
    const told = new Set(rows.map(({ _id }) => _id));
    const questions = await this.references.ofPath(scope, conversationId, leaf);
    return questions.filter(({ messageId }) => !told.has(messageId)).flatMap(({ files }) => files);
  }

  /** Returns what the project that the chat is in gives its answers: nothing without a project, or if it was deleted. */
  async project(scope: OrganisationScope, ask: Ask): Promise<GivenByProject> {
    if (ask.kind !== 'chat') return givesNothing;
    const projectId = ask.fresh ? (await ask.fresh.before).projectId : ask.projectId;
    const material = projectId ? await this.projects.material(scope, projectId) : null;
    if (!material) return givesNothing;
    const { instructions, connectionIds = [], files = [] } = material;
    return { instructions, connectionIds, files: await this.uses.searchable(scope, files) };
  }

  /** Of all answers of these questions. */
  generationsOf(
    scope: OrganisationScope,
    { conversationId }: Pick<Ask, 'conversationId'>,
    questionIds: readonly (MessageId | null)[],
  ): Promise<GenerationId[]> {
    return this.paths.generationsUnder(scope, conversationId, questionIds);
  }

  /** Reads them for the next question; `sequence` is what the conversation had before this call. */
  async readAhead(
    scope: PlatformScope,
    { conversationId, orgId, answerId: leafId }: Pick<Generation, 'conversationId' | 'orgId' | 'answerId'>,
    { sequence, leaf }: { readonly sequence: number; readonly leaf: Standing },
  ): Promise<void> {
    try {
      const rows = await this.paths.messages(scope.in(orgId), conversationId, { leaf, limit: historyMessages });
      this.ahead.set(conversationId, { sequence, leafId, rows });
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    }
  }
}
