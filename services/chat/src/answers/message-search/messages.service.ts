import { Injectable } from '@nestjs/common';
import type { listMessages, Message } from '@parley/contracts';
import type { InputOf } from '@parley/platform/service';
import type { ResponseOf } from '@parley/protocol';
import { ConversationAccess, MessagePaths, MessagesRepository } from '../../conversations/index.ts';
import { boundedPage } from './bounded-page.ts';
import { ShownMessages } from './shown-messages.ts';

/** Lists a conversation's messages with the state of their answers. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly shown: ShownMessages,
    private readonly access: ConversationAccess,
    private readonly paths: MessagePaths,
  ) {}

  /**
   * Lists a page of at most 300 kB. Reads `sequence` before the messages, so that the next request with `after` misses
   * no change.
   */
  async list(input: InputOf<typeof listMessages>): Promise<ResponseOf<typeof listMessages>> {
    const { scope, params, query } = input;
    const { limit, before, after } = query;
    const { _id: id, sequence, title, deletions } = await this.access.read(input, params.conversationId);
    const deleted = deletions ? await this.paths.deletedRoots(scope, id) : [];
    if (after === undefined) {
      const { items } = await boundedPage<Message>(limit, async (last, most) => {
        const rows = await this.messages.page(scope, id, { before: last?.position ?? before, limit: most });
        return (await this.shown.of(scope, rows, deleted)).toReversed();
      });
      return { items: items.toReversed(), sequence, hasOlder: (items.at(-1)?.position ?? 1) > 1, title };
    }
    const { items, hasMore } = await boundedPage<Message>(limit, async (last, most) =>
      this.shown.of(
        scope,
        await this.messages.changedAfter(scope, id, { after: last?.sequence ?? after, limit: most }),
        deleted,
      ),
    );
    const readTo = hasMore ? (items.at(-1)?.sequence ?? after) : sequence;
    return { items, sequence: readTo, hasOlder: false, title, ...(hasMore && { hasNewer: true }) };
  }
}
