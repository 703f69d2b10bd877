import { Injectable } from '@nestjs/common';
import type {
  ConversationId,
  countBranch,
  listPath,
  Message,
  MessageVersions,
  moveInConversation,
} from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import {
  ConversationAccess,
  hasOnePath,
  isInLine,
  isOnPath,
  MessagePaths,
  MessagesRepository,
  OpenPaths,
  ReadingPlaces,
  standingOf,
  type Located,
  type MessageRow,
  type OpenPath,
  type StoredConversation,
} from '../../conversations/index.ts';
import { toElsewhere } from '../generations/index.ts';
import { boundedPage } from './bounded-page.ts';
import { ShownMessages } from './shown-messages.ts';

type Listing = InputOf<typeof listPath>;
type Change = Message & { readonly isHere: boolean };

/** Reads conversations along one path, and moves people to other paths. */
@Injectable()
export class PathsService {
  constructor(
    private readonly access: ConversationAccess,
    private readonly open: OpenPaths,
    private readonly paths: MessagePaths,
    private readonly messages: MessagesRepository,
    private readonly shown: ShownMessages,
    private readonly reading: ReadingPlaces,
    private readonly work: Work,
  ) {}

  /** Reads `sequence` before the messages, so that the next request with `after` misses no change. */
  async list(input: Listing): Promise<ResponseOf<typeof listPath>> {
    const { params, query } = input;
    const conversation = await this.access.read(input, params.conversationId);
    const { title, sequence, isArchived } = conversation;
    const [branchedFrom, page] = await Promise.all([
      query.after === undefined ? this.sourceOf(input, conversation) : conversation.branchedFrom,
      this.newestOfLine(input, conversation).then((newest) => newest ?? this.alongPath(input, conversation)),
    ]);
    return { sequence, title, ...(branchedFrom && { branchedFrom }), ...(isArchived && { archived: true }), ...page };
  }

  /**
   * Returns the newest page of a conversation with one path, without reading the path's end first; null in any other
   * case.
   */
  private async newestOfLine({ scope, query }: Listing, conversation: StoredConversation) {
    const { leaf, through, before, after, limit } = query;
    if (!hasOnePath(conversation) || (leaf ?? through ?? before ?? after) !== undefined) return null;
    let isLine = true;
    const { items } = await boundedPage<Message>(limit, async (last, most) => {
      const rows = await this.messages.page(scope, conversation._id, { before: last?.position, limit: most });
      isLine &&= rows.every(isInLine);
      return isLine ? (await this.shown.of(scope, rows)).toReversed() : [];
    });
    if (!isLine) return null;
    const hasOlder = (items.at(-1)?.depth ?? 1) > 1;
    return { ...line, leafId: items[0]?.id ?? null, items: items.toReversed(), hasOlder };
  }

  private async alongPath(input: Listing, conversation: StoredConversation) {
    const path = await this.open.find(input, conversation, input.query);
    const isPage = input.query.after === undefined;
    const page = isPage ? await this.page(input, path, conversation) : await this.changes(input, path, conversation);
    return { leafId: path.leaf?._id ?? null, placeVersion: path.placeVersion, ...page };
  }

  private async sourceOf(viewer: Listing, { branchedFrom }: StoredConversation) {
    if (!branchedFrom) return undefined;
    const source = await this.access.find(viewer, branchedFrom.conversationId);
    return { ...branchedFrom, title: source && !source.isDeleted ? source.title : null };
  }

  private async page({ scope, query }: Listing, { leaf, isLine }: OpenPath, { _id: id, running }: StoredConversation) {
    const { limit, before } = query;
    const read = async (last: Message | undefined, most: number) => {
      const rows = leaf ? await this.paths.page(scope, id, { leaf, before: last?.depth ?? before, limit: most }) : [];
      return (await this.shown.of(scope, rows)).toReversed();
    };
    const { items } = await boundedPage<Message>(limit, read);
    const parentIds = items.map(({ parentId }) => parentId);
    const all = isLine ? [] : await this.paths.versions(scope, id, { parentIds, leaf });
    const versions = all.filter(({ ids }) => ids.length > 1);
    const isHere = !running || before !== undefined || items.some((message) => message.id === running.answerId);
    const written = isHere ? null : await this.messages.find(scope, { conversationId: id, id: running.answerId });
    const elsewhere = (await this.shown.of(scope, written ? [written] : [])).map(toElsewhere);
    return { items: items.toReversed(), versions, elsewhere, hasOlder: (items.at(-1)?.depth ?? 1) > 1 };
  }

  private async changes(
    { scope, query: { limit, after = 0 } }: Listing,
    { leaf, isLine }: OpenPath,
    conversation: StoredConversation,
  ) {
    const { _id: id, sequence, deletions } = conversation;
    let hasVersions = !isLine;
    const deleted = deletions ? await this.paths.deletedRoots(scope, id) : [];
    const { items: changed, hasMore } = await boundedPage<Change>(limit, async (last, most) => {
      const rows = await this.messages.changedAfter(scope, id, { after: last?.sequence ?? after, limit: most });
      hasVersions ||= !rows.every(isInLine);
      const here = rows.map((row) => isHere(row, leaf));
      return (await this.shown.of(scope, rows, deleted)).map((message, at) => ({ ...message, isHere: here[at]! }));
    });
    const versions = hasVersions
      ? await this.versionsOf(scope, { conversation, changed, leaf })
      : changed.map(({ parentId, id: only }) => ({ parentId, ids: [only] }));
    return {
      items: changed.flatMap(({ isHere: isOnIt, ...message }) => (isOnIt ? [message] : [])),
      elsewhere: changed.flatMap(({ isHere: isOnIt, ...message }) => (isOnIt ? [] : [toElsewhere(message)])),
      versions,
      sequence: hasMore ? (changed.at(-1)?.sequence ?? after) : sequence,
      hasOlder: false,
      ...(hasMore && { hasNewer: true }),
    };
  }

  /**
   * Lists the versions around changes. A replaced answer becomes a version again when a question follows it, so the
   * versions beside that answer are listed, too.
   */
  private async versionsOf(
    scope: OrganisationScope,
    {
      conversation: { _id: conversationId, lastRun },
      changed,
      leaf,
    }: { conversation: StoredConversation; changed: readonly Change[]; leaf: Located | null },
  ): Promise<MessageVersions[]> {
    const parents = changed.map(({ parentId }) => parentId);
    const ids = changed.flatMap(({ role, parentId }) => (role === 'person' && parentId ? [parentId] : []));
    const isAlone = ids.length === 0 || lastRun === 1;
    const above = isAlone ? [] : await this.paths.locateAll(scope, { conversationId, ids });
    const parentIds = [...parents, ...above.map(({ parentId }) => parentId)];
    return this.paths.versions(scope, conversationId, { parentIds, leaf });
  }

  async move(input: InputOf<typeof moveInConversation>): Promise<ResponseOf<typeof moveInConversation>> {
    const { scope, principal, params, body } = input;
    const { conversationId } = params;
    const conversation = await this.access.read(input, conversationId);
    const { leaf, isLine } = await this.open.find(input, conversation, { through: body.through });
    if (!leaf) throw new Problem('chat.message-not-found');
    // Return no position: all readers are at the end of the only path.
    if (isLine) return { leafId: leaf._id, version: 0 };
    const whose = { conversationId, userId: principal.userId };
    const place = { ...whose, leafId: leaf._id, version: body.version };
    const moved = await this.work.run(principal, (tx) => this.reading.move(scope, place, tx));
    if (moved) return { leafId: leaf._id, version: moved.version };
    const current = await this.reading.find(scope, whose);
    throw new Problem('platform.conflict', {
      current: current && { leafId: current.leafId, version: current.version },
    });
  }

  async count(input: InputOf<typeof countBranch>): Promise<ResponseOf<typeof countBranch>> {
    const { scope, params } = input;
    const conversation = await this.access.read(input, params.conversationId);
    const { leaf } = await this.open.find(input, conversation, { leaf: params.messageId });
    if (!leaf) throw new Problem('chat.message-not-found');
    const messages = await this.shownBelow(scope, conversation, leaf);
    return { messages, versions: leaf.role === 'person' ? [] : await this.givenBy(scope, conversation._id, leaf) };
  }

  /** Counts a message and everything below it, without messages that were deleted before. */
  private async shownBelow(
    scope: OrganisationScope,
    { _id: id, deletions }: StoredConversation,
    leaf: Located,
  ): Promise<number> {
    const roots = deletions ? await this.paths.deletedRoots(scope, id) : [];
    const below = roots.filter((root) => isOnPath(leaf, root));
    const upper = below.filter((root) => !below.some((other) => other !== root && isOnPath(other, root)));
    const gone = await Promise.all(upper.map((root) => this.paths.count(scope, id, root)));
    return gone.reduce((left, count) => left - count, await this.paths.count(scope, id, leaf));
  }

  /** Returns the model and chatbot of each version of an answer. */
  private async givenBy(scope: OrganisationScope, conversationId: ConversationId, leaf: Located) {
    const { parentId } = leaf;
    const wanted = { parentIds: [parentId], leaf };
    const [{ ids } = { ids: [] }] = await this.paths.versions(scope, conversationId, wanted);
    const rows = await this.messages.findMany(scope, conversationId, ids);
    return (await this.shown.of(scope, rows)).flatMap(({ id, generation }) =>
      generation ? [{ id, model: generation.model.key, chatbotId: generation.chatbot?.id ?? null }] : [],
    );
  }
}

/** The fields of a page that are the same for every conversation with one path. */
const line = { placeVersion: 0, versions: [], elsewhere: [] };

/**
 * Returns whether a message is on the path to `leaf`, or after it. Processes of older versions write messages without a
 * place in the tree, always at the newest end.
 */
function isHere(row: MessageRow, leaf: Located | null): boolean {
  const standing = standingOf(row);
  return !leaf || !standing || isOnPath(standing, leaf) || isOnPath(leaf, standing);
}
