import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, ProjectId } from '@parley/contracts';
import type { OrganisationScope, Page, PageQuery } from '@parley/platform/mongo';
import {
  ConversationsRepository,
  MessagesRepository,
  SearchedMessages,
  visibleTo,
  type FoundPlace,
  type MessageFilter,
  type MessageRow,
  type Viewer,
} from '../../conversations/index.ts';

type Wanted = { readonly where: MessageFilter; readonly projects: readonly ProjectId[]; readonly query: PageQuery };
type Places = { readonly found: readonly FoundPlace[]; readonly nextCursor: string | null; readonly isCut: boolean };

/**
 * Searches in the chats of projects. Messages don't know their project, so a page reads messages with the words, newest
 * first, until it is full or has read 2,000.
 */
@Injectable()
export class SearchInProjects {
  /** The most messages that one page reads, and that one step reads. */
  protected readonly bounds: { readonly page: number; readonly step: number } = { page: 2_000, step: 200 };

  constructor(
    private readonly searched: SearchedMessages,
    private readonly messages: MessagesRepository,
    private readonly conversations: ConversationsRepository,
  ) {}

  async page(viewer: Viewer, wanted: Wanted): Promise<Page<MessageRow> & { readonly goesOn?: true }> {
    const { found, nextCursor, isCut } = await this.places(viewer, wanted);
    const items = await this.inOrder(
      viewer.scope,
      found.map(({ _id }) => _id),
    );
    return { items, nextCursor, ...(isCut && { goesOn: true }) };
  }

  private async places(viewer: Viewer, { where, projects, query: { limit, cursor } }: Wanted): Promise<Places> {
    const isOfProject = this.membership(viewer, projects);
    const found: FoundPlace[] = [];
    let next = cursor;
    for (let read = 0; read < this.bounds.page; read += this.bounds.step) {
      const query = { limit: Math.min(this.bounds.step, this.bounds.page - read), cursor: next };
      const { items, nextCursor } = await this.searched.places(viewer.scope, where, query);
      const isOf = await isOfProject(items);
      for (const place of items.filter(isOf)) {
        found.push(place);
        if (found.length === limit) return { found, nextCursor: place.cursor(), isCut: false };
      }
      if (nextCursor === null) return { found, nextCursor, isCut: false };
      next = nextCursor;
    }
    return { found, nextCursor: next ?? null, isCut: true };
  }

  /** Returns a check for messages that looks each conversation up only once. */
  private membership(viewer: Viewer, projects: readonly ProjectId[]) {
    const known = new Map<ConversationId, boolean>();
    return async (places: readonly FoundPlace[]): Promise<(place: FoundPlace) => boolean> => {
      const ids = [...new Set(places.map(({ conversationId }) => conversationId))].filter((id) => !known.has(id));
      for (const id of ids) known.set(id, false);
      const rows = ids.length > 0 ? await this.conversations.findMany(viewer.scope, visibleTo(viewer), ids) : [];
      for (const { _id, projectId } of rows) known.set(_id, projectId ? projects.includes(projectId) : false);
      return ({ conversationId }) => known.get(conversationId) === true;
    };
  }

  private async inOrder(scope: OrganisationScope, ids: readonly MessageId[]): Promise<MessageRow[]> {
    if (ids.length === 0) return [];
    const rows = new Map((await this.messages.findByIds(scope, ids)).map((row) => [row._id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []);
  }
}
