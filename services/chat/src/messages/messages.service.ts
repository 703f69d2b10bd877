import { Injectable } from '@nestjs/common';
import {
  Problem,
  type ConversationId,
  type Message,
  type MessageId,
  type QueryOf,
  type ResponseOf,
  type UserId,
  type listMessages,
  type searchMessages,
} from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { ConversationsRepository, ConversationsService } from '../conversations/index.ts';
import { GenerationsRepository } from './generations.repository.ts';
import { queryTerms, searchScope, toMessage, toSearchHit } from './message.ts';
import type { MessageRow } from './message.schema.ts';
import { MessagesRepository } from './messages.repository.ts';

@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly conversations: ConversationsService,
    private readonly stored: ConversationsRepository,
  ) {}

  /** `sequence` is read before the messages, so nothing can fall between this answer and the next `after`. */
  async list(
    scope: OrganisationScope,
    owner: UserId,
    request: { conversationId: ConversationId } & QueryOf<typeof listMessages>,
  ): Promise<ResponseOf<typeof listMessages>> {
    const { conversationId, limit, before, after } = request;
    const conversation = await this.conversations.find(scope, owner, conversationId);
    if (after !== undefined) {
      const rows = await this.messages.changedAfter(scope, conversationId, { after, limit });
      const sequence = rows.length === limit ? (rows.at(-1)?.sequence ?? after) : conversation.sequence;
      return { items: await this.present(scope, rows), sequence, hasOlder: false, title: conversation.title };
    }
    const rows = await this.messages.page(scope, conversationId, { before, limit });
    return {
      items: await this.present(scope, rows),
      sequence: conversation.sequence,
      hasOlder: (rows[0]?.position ?? 1) > 1,
      title: conversation.title,
    };
  }

  async search(
    scope: OrganisationScope,
    owner: UserId,
    query: QueryOf<typeof searchMessages>,
  ): Promise<ResponseOf<typeof searchMessages>> {
    const terms = queryTerms(query.q);
    if (terms.length === 0) return { items: [], nextCursor: null };
    const keys = terms.map((term) => `${searchScope(scope.orgId, owner)}|${term}`);
    const rows = await this.messages.search(scope, keys, { before: readCursor(query.cursor), limit: query.limit + 1 });
    const shown = rows.slice(0, query.limit);
    const found = await this.stored.findMany(scope, owner, [...new Set(shown.map((row) => row.conversationId))]);
    const titles = new Map(found.map((conversation) => [conversation._id, conversation.title]));
    const last = rows.length > query.limit ? shown.at(-1) : undefined;
    return {
      items: shown.flatMap((row) => toSearchHit(row, titles, query.q)),
      nextCursor: last ? `${last.createdAt.getTime()}.${last._id}` : null,
    };
  }

  async present(scope: OrganisationScope, rows: readonly MessageRow[]): Promise<Message[]> {
    const ids = rows.flatMap((row) => (row.generationId ? [row.generationId] : []));
    const generations = new Map(
      (await this.generations.findMany(scope, ids)).map((generation) => [generation._id, generation]),
    );
    return rows.map((row) => toMessage(row, (row.generationId && generations.get(row.generationId)) || null));
  }
}

function readCursor(cursor: string | undefined): { createdAt: Date; id: MessageId } | null {
  if (cursor === undefined) return null;
  const [, time, id] = /^(\d{1,15})\.(msg_[0-9A-Z]{26})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined)
    throw new Problem('platform.invalid-request', {
      errors: [{ path: 'query.cursor', message: 'not a cursor of this list' }],
    });
  return { createdAt: new Date(Number(time)), id: id as MessageId };
}
