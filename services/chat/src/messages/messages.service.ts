import { Injectable } from '@nestjs/common';
import type { listMessages, Message, ResponseOf, searchMessages } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { wantedWords } from '@parley/platform/text';
import {
  ConversationAccess,
  ConversationsRepository,
  MessagesRepository,
  ownSearchScope,
  visibleTo,
  type MessageRow,
} from '../conversations/index.ts';
import { GenerationsRepository, toMessage } from '../generations/index.ts';
import { toSearchHit } from './search-hit.ts';

/** Reading: a conversation's messages with the state of their answers, and the search in them. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly conversations: ConversationsRepository,
    private readonly access: ConversationAccess,
  ) {}

  /** `sequence` is read before the messages, so nothing can fall between this answer and the next `after`. */
  async list(input: InputOf<typeof listMessages>): Promise<ResponseOf<typeof listMessages>> {
    const { scope, params, query } = input;
    const { limit, before, after } = query;
    const { _id: id, sequence, title } = await this.access.read(input, params.conversationId);
    if (after === undefined) {
      const rows = await this.messages.page(scope, id, { before, limit });
      return { items: await this.present(scope, rows), sequence, hasOlder: (rows[0]?.position ?? 1) > 1, title };
    }
    const rows = await this.messages.changedAfter(scope, id, { after, limit });
    const readTo = rows.length === limit ? (rows.at(-1)?.sequence ?? after) : sequence;
    return { items: await this.present(scope, rows), sequence: readTo, hasOlder: false, title };
  }

  async search(input: InputOf<typeof searchMessages>): Promise<ResponseOf<typeof searchMessages>> {
    const { scope, query } = input;
    const wanted = wantedWords(query.q);
    if (!wanted) return { items: [], nextCursor: null };
    const own = { ...wanted, searchScope: ownSearchScope(input) };
    const { items: rows, nextCursor } = await this.messages.search(scope, own, query);
    const ids = [...new Set(rows.map((row) => row.conversationId))];
    const found = await this.conversations.findMany(scope, visibleTo(input), ids);
    const titles = new Map(found.map(({ _id, title }) => [_id, title]));
    return { items: rows.flatMap((row) => toSearchHit(row, titles, wanted)), nextCursor };
  }

  private async present(scope: OrganisationScope, rows: readonly MessageRow[]): Promise<Message[]> {
    const ids = rows.flatMap((row) => (row.generationId ? [row.generationId] : []));
    const found = await this.generations.findMany(scope, ids);
    const generations = new Map(found.map((generation) => [generation._id, generation]));
    return rows.map((row) => toMessage(row, (row.generationId && generations.get(row.generationId)) || null));
  }
}
