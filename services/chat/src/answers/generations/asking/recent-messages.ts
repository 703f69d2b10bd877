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

/** The most messages of the path before a question; the question itself is added to them. */
const historyMessages = 40;
/** The cache's size for all conversations. A conversation with much more text than a model gets isn't read ahead. */
const mostCharacters = 2_000_000;
const mostOfOne = 100_000;
const keptMs = 10 * 60_000;

/** The instructions and knowledge that a project adds to its chatbot's. */
export type GivenByProject = {
  readonly instructions: string;
  /** The person may lack access to some of these connections. */
  readonly connectionIds: readonly ConnectionId[];
  /** Files of the project, searched like files of the chat. */
  readonly files: readonly Pick<MessageFile, 'id' | 'name'>[];
};
const givesNothing: GivenByProject = { instructions: '', connectionIds: [], files: [] };

/** The last messages of the path to a leaf, read when the conversation had this sequence. */
type Ahead = { readonly sequence: number; readonly leafId: MessageId; readonly rows: readonly PathRow[] };

/**
 * Returns the messages that a model gets. They can be read when an answer ends, so that the next question needn't wait.
 * Rows that were read ahead are valid for their sequence only, because each change of a message takes a new one.
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

  /**
   * Returns the last messages of the path before a new question, ascending, once the store has accepted the question.
   */
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

  /** Returns the last messages of the path to a stored question, which is the last of them; ascending. */
  async upTo(
    scope: OrganisationScope,
    { conversationId, questionId }: Pick<Ask, 'conversationId' | 'questionId'>,
  ): Promise<readonly PathRow[]> {
    const leaf = await this.paths.locate(scope, conversationId, questionId);
    return leaf ? this.paths.messages(scope, conversationId, { leaf, limit: historyMessages + 1 }) : [];
  }

  /** Returns files from the part of the path before these messages; none if the path has no more messages. */
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

  /** Returns the instructions and knowledge of the chat's project; nothing without a project, or if it was deleted. */
  async project(scope: OrganisationScope, ask: Ask): Promise<GivenByProject> {
    if (ask.kind !== 'chat') return givesNothing;
    const projectId = ask.fresh ? (await ask.fresh.before).projectId : ask.projectId;
    const material = projectId ? await this.projects.material(scope, projectId) : null;
    if (!material) return givesNothing;
    const { instructions, connectionIds = [], files = [] } = material;
    return { instructions, connectionIds, files: await this.uses.searchable(scope, files) };
  }

  /** Returns the generations of all answers to these questions. */
  generationsOf(
    scope: OrganisationScope,
    { conversationId }: Pick<Ask, 'conversationId'>,
    questionIds: readonly (MessageId | null)[],
  ): Promise<GenerationId[]> {
    return this.paths.generationsUnder(scope, conversationId, questionIds);
  }

  /** Reads the messages for the next question; `sequence` is the conversation's before this call. */
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
