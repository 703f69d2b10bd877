import { Injectable } from '@nestjs/common';
import type { SearchQuery } from '@parley/contracts';
import {
  Mongo,
  type Filter,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type Rows,
} from '@parley/platform/mongo';
import type { WantedWords } from '@parley/platform/text';
import { messageRows, type MessageRow, type NewMessage } from './message.collection.ts';
import { fileKeys, sourceKeys } from './search-keys-of.ts';

/** The most words that the beginning of a word can match; each costs a lookup. */
const mostBeginnings = 50;
/** The most rows of one read for the next words. A word in more rows than that takes another read. */
const rowsPerRead = 20;
const highestSign = '\u{10FFFF}';
/** Sorts words in the order of the index. */
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** The criteria of a search: owner, words, author, files and time. */
export type WantedMessages = WantedWords &
  Pick<SearchQuery, 'from' | 'has'> & {
    readonly searchScope: string;
    readonly since?: Date | undefined;
    readonly until?: Date | undefined;
  };
export type MessageFilter = Filter<NewMessage>;
/** A message that was found; `cursor` begins the page after it. */
export type FoundPlace = Pick<MessageRow, '_id' | 'conversationId'> & { readonly cursor: () => string };

const newestFirst = { by: { createdAt: -1 }, hasFewTies: true } as const;

/** Finds messages by the keys of their rows, newest first. */
@Injectable()
export class SearchedMessages {
  private readonly rows: Rows<typeof messageRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(messageRows);
  }

  /**
   * Returns the filter for messages with all words that match the other criteria; null if no word has the beginning.
   */
  async filterOf(scope: OrganisationScope, wanted: WantedMessages): Promise<MessageFilter | null> {
    const { searchScope, whole, beginning, has, from, since, until } = wanted;
    const begun = beginning === null ? null : await this.wordsFrom(scope, searchScope, beginning);
    if (begun?.length === 0) return null;
    // Put files first, because they are rarer than words: of several keys that narrow alike, the store uses the first.
    const all: string[] = [...has.map((one) => fileKeys[one]), ...whole];
    const isNarrow = all.length > 0 || begun !== null;
    // Each message is by the person or a chatbot, so the author narrows a search little: beside other keys, filter by
    // the row's role; alone, use the author's key.
    const role = from && isNarrow ? ({ role: from === 'me' ? 'person' : 'assistant' } as const) : {};
    const sources = from ? [sourceKeys[from]] : Object.values(sourceKeys);
    const any: readonly string[] | null = isNarrow ? begun : sources;
    const searchKeys = { ...(all.length > 0 && { $all: all }), ...(any && { $in: any }) };
    const createdAt = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
    return { searchScope, searchKeys, ...role, ...((since ?? until) && { createdAt }) };
  }

  /** Returns whether a search needs keys that messages of earlier versions get only from a job. */
  needsKeysBesideWords({ whole, beginning, has }: WantedMessages): boolean {
    return has.length > 0 || (whole.length === 0 && beginning === null);
  }

  page(scope: OrganisationScope, where: MessageFilter, query: PageQuery): Promise<Page<MessageRow>> {
    return this.rows.within(scope).page(query, { ...newestFirst, where, to: (row) => row });
  }

  /** Returns a page like `page`, without reading the text of messages. */
  places(scope: OrganisationScope, where: MessageFilter, query: PageQuery): Promise<Page<FoundPlace>> {
    return this.rows
      .within(scope)
      .page(query, {
        ...newestFirst,
        where,
        fields: ['conversationId', 'createdAt'],
        to: ({ _id, conversationId }, cursor) => ({ _id, conversationId, cursor }),
      });
  }

  /**
   * Lists words of messages with this beginning. Each read skips to after the last found word, so a word in thousands
   * of messages costs no more than one in twenty.
   */
  private async wordsFrom(scope: OrganisationScope, searchScope: string, beginning: string): Promise<string[]> {
    const words = new Set<string>();
    const isAhead = (word: string, from: string) => word.startsWith(beginning) && byBytes(word, from) > 0;
    let reached = '';
    for (let reads = 0; reads < mostBeginnings && words.size < mostBeginnings; reads += 1) {
      const from = reached;
      const range = { ...(from === '' ? { $gte: beginning } : { $gt: from }), $lt: beginning + highestSign };
      const where = { searchScope, searchKeys: { $elemMatch: range } };
      const rows = await this.rows.within(scope).find(where, { limit: rowsPerRead, fields: ['searchKeys'] });
      const ahead = rows.map((row) => row.searchKeys.filter((word) => isAhead(word, from)).toSorted(byBytes));
      for (const word of ahead.flat()) words.add(word);
      reached = ahead.at(-1)?.[0] ?? '';
      if (reached === '' || rows.length < rowsPerRead) break;
    }
    return [...words].slice(0, mostBeginnings);
  }
}
