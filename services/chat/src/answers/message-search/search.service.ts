import { Injectable } from '@nestjs/common';
import {
  parseSearch,
  searchOperator,
  startOfDay,
  type ConversationId,
  type IgnoredOperator,
  type ProjectId,
  type SearchQuery,
  type searchMessages,
} from '@parley/contracts';
import type { Page } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { wantedWords } from '@parley/platform/text';
import type { ResponseOf } from '@parley/protocol';
import {
  ConversationsRepository,
  isDeleted,
  MessagePaths,
  ownSearchScope,
  ProjectNames,
  SearchedMessages,
  visibleTo,
  type MessageFilter,
  type MessageRow,
  type WantedMessages,
} from '../../conversations/index.ts';
import { FillSearchKeys } from './fill-search-keys.ts';
import { SearchInProjects } from './search-in-projects.ts';
import { toSearchHit } from './search-hit.ts';

type Input = InputOf<typeof searchMessages>;
type Answer = ResponseOf<typeof searchMessages>;
type FoundPage = Page<MessageRow> & Pick<Answer, 'goesOn'>;

const noWords = { whole: [], beginning: null };

/** Searches messages by their words and by operators. */
@Injectable()
export class SearchService {
  constructor(
    private readonly searched: SearchedMessages,
    private readonly inProjects: SearchInProjects,
    private readonly names: ProjectNames,
    private readonly filling: FillSearchKeys,
    private readonly conversations: ConversationsRepository,
    private readonly paths: MessagePaths,
  ) {}

  async search(input: Input): Promise<Answer> {
    const query = parseSearch(input.query.q);
    const projects = query.in === undefined ? null : await this.names.named(input, query.in);
    const ignored = [...query.ignored, ...unknownProject(query, projects)];
    const isIn = projects !== null && projects.length > 0;
    const wanted = wantedOf(input, query, isIn);
    const isFilling = wanted && this.searched.needsKeysBesideWords(wanted) && (await this.filling.goesOn());
    const notes = { ...(ignored.length > 0 && { ignored }), ...(isFilling && { isFilling: true as const }) };
    const where = wanted && (await this.searched.filterOf(input.scope, wanted));
    if (!where) return { items: [], nextCursor: null, ...notes };
    const { goesOn, ...page } = await this.pageOf(input, where, isIn ? projects : null);
    return { ...(await this.shown(input, page, wanted)), ...(goesOn && { goesOn }), ...notes };
  }

  private pageOf(input: Input, where: MessageFilter, projects: readonly ProjectId[] | null): Promise<FoundPage> {
    return projects
      ? this.inProjects.page(input, { where, projects, query: input.query })
      : this.searched.page(input.scope, where, input.query);
  }

  /** Returns the messages of a page that the person can see. */
  private async shown(input: Input, { items: rows, nextCursor }: Page<MessageRow>, wanted: WantedMessages) {
    const { scope } = input;
    const ids = [...new Set(rows.map((row) => row.conversationId))];
    const found = await this.conversations.findMany(scope, visibleTo(input), ids);
    const titles = new Map(found.map(({ _id, title }) => [_id, title]));
    const cut = found.filter(({ deletions }) => deletions);
    const rootsOf = async ({ _id }: { _id: ConversationId }) =>
      [_id, await this.paths.deletedRoots(scope, _id)] as const;
    const deleted = new Map(await Promise.all(cut.map(rootsOf)));
    const isThere = (row: MessageRow): boolean => !isDeleted(row, deleted.get(row.conversationId) ?? []);
    return { items: rows.filter(isThere).flatMap((row) => toSearchHit(row, titles, wanted)), nextCursor };
  }
}

/** Returns null for a search without words and valid operators. */
function wantedOf(input: Input, query: SearchQuery, isIn: boolean): WantedMessages | null {
  const { from, has, before, after } = query;
  const words = wantedWords(query.words);
  if (!words && !isIn && has.length === 0 && (from ?? before ?? after) === undefined) return null;
  const beginningOf = (day: string) => new Date(startOfDay(day, input.query.zone ?? 'UTC'));
  return {
    ...(words ?? noWords),
    searchScope: ownSearchScope(input),
    has,
    ...(from && { from }),
    since: after === undefined ? undefined : beginningOf(after),
    until: before === undefined ? undefined : beginningOf(before),
  };
}

function unknownProject(query: SearchQuery, projects: readonly ProjectId[] | null): IgnoredOperator[] {
  if (query.in === undefined || projects?.length !== 0) return [];
  return [{ operator: searchOperator('in', query.in), reason: 'unknown-project' }];
}
