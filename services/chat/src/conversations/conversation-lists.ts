import { Injectable } from '@nestjs/common';
import type { ImportId, ProjectId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Page, type PageQuery, type Rows } from '@parley/platform/mongo';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import type { Visible } from './conversations.repository.ts';

type Listing<Item> = {
  readonly query: PageQuery & {
    readonly only?: 'pinned' | 'archived' | undefined;
    readonly project?: ProjectId | 'none' | undefined;
    readonly import?: ImportId | undefined;
  };
  readonly visible: Visible;
  /**
   * -1 (the default): newest activity first. 1: oldest first, so that no chat is missed that is used while pages are
   * read.
   */
  readonly order?: 1 | -1;
  readonly to: (row: StoredConversation) => Item;
};

/** Lists a person's conversations. */
@Injectable()
export class ConversationLists {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(conversationRows);
  }

  /**
   * Lists chats that aren't archived, or only pinned or archived ones; `project` narrows the list to one project or to
   * none. `import` lists all chats of one import, archived or not.
   */
  list<Item>(scope: OrganisationScope, { query, visible, order = -1, to }: Listing<Item>): Promise<Page<Item>> {
    const isArchived = query.only === 'archived' ? (true as const) : null;
    const where = {
      ...visible,
      isDeleted: false,
      ...(query.import ? { 'imported.importId': query.import } : { isArchived }),
      ...(query.only === 'pinned' && { isPinned: true }),
      ...(query.project && { projectId: query.project === 'none' ? null : query.project }),
    };
    return this.rows.within(scope).page(query, { by: { lastActivityAt: order }, where, to });
  }

  /** Counts the conversations that someone can see, archived or not. */
  count(scope: OrganisationScope, visible: Visible): Promise<number> {
    return this.rows.within(scope).count({ isDeleted: false, ...visible });
  }

  /**
   * Lists conversations that can be restored, last deleted first. Includes those that an earlier version deleted once
   * they have a date.
   */
  listDeleted<Item>(
    scope: OrganisationScope,
    { query, visible, to }: Omit<Listing<Item>, 'order' | 'query'> & { readonly query: PageQuery },
  ): Promise<Page<Item>> {
    const where = { ...visible, isDeleted: true, isCopying: { $ne: true }, erasure: 'waiting' } as const;
    return this.rows.within(scope).page(query, { by: { deletedAt: -1 }, where, to });
  }
}
