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
import { boundedPage } from './bounded-page.ts';
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

  /** Lists a page of at most 300 kB. `sequence` is read before the messages, so nothing can fall between this answer and the next `after`. */
  async list(input: InputOf<typeof listMessages>): Promise<ResponseOf<typeof listMessages>> {
    const { scope, params, query } = input;
    const { limit, before, after } = query;
    const { _id: id, sequence, title } = await this.access.read(input, params.conversationId);
    if (after === undefined) {
      const { items } = await boundedPage<Message>(limit, async (last, most) => {
        const rows = await this.messages.page(scope, id, { before: last?.position ?? before, limit: most });
        return (await this.present(scope, rows)).toReversed();
      });
      return { items: items.toReversed(), sequence, hasOlder: (items.at(-1)?.position ?? 1) > 1, title };
    }
    const { items, hasMore } = await boundedPage<Message>(limit, async (last, most) =>
      this.present(scope, await this.messages.changedAfter(scope, id, { after: last?.sequence ?? after, limit: most })),
    );
    const readTo = hasMore ? (items.at(-1)?.sequence ?? after) : sequence;
    return { items, sequence: readTo, hasOlder: false, title, ...(hasMore && { hasNewer: true }) };
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
