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
  /** Newest activity first by default. With 1, none is missed that is used while the pages are read. */
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
   * Lists chats that aren't archived, or only pinned or archived ones; `project` narrows that to one project or to none.
   * `import` lists all that one import brought, archived or not.
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

  /** Counts them, archived or not. */
  count(scope: OrganisationScope, visible: Visible): Promise<number> {
    return this.rows.within(scope).count({ isDeleted: false, ...visible });
  }

  /**
   * Lists those that can be restored, last deleted first. Those that an earlier version deleted are listed once they
   * have a date.
   */
  listDeleted<Item>(
    scope: OrganisationScope,
    { query, visible, to }: Omit<Listing<Item>, 'order' | 'query'> & { readonly query: PageQuery },
  ): Promise<Page<Item>> {
    const where = { ...visible, isDeleted: true, isCopying: { $ne: true }, erasure: 'waiting' } as const;
    return this.rows.within(scope).page(query, { by: { deletedAt: -1 }, where, to });
  }
}
