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

/** Limits the words that a beginning stands for: more would help nobody, and each is looked up. */
const mostBeginnings = 50;
/** Limits the rows of a read for the next words; a word that is in more of them takes a read of its own. */
const rowsPerRead = 20;
const highestSign = '\u{10FFFF}';
/** Orders words as the index does. */
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Describes wanted messages: whose they are, their words, who wrote them, their files, and their time. */
export type WantedMessages = WantedWords &
  Pick<SearchQuery, 'from' | 'has'> & {
    readonly searchScope: string;
    readonly since?: Date | undefined;
    readonly until?: Date | undefined;
  };
export type MessageFilter = Filter<NewMessage>;
/** Tells where a message was found; `cursor` begins a page behind it. */
export type FoundPlace = Pick<MessageRow, '_id' | 'conversationId'> & { readonly cursor: () => string };

const newestFirst = { by: { createdAt: -1 }, hasFewTies: true } as const;

/** Finds messages by the keys of their rows, newest first. */
@Injectable()
export class SearchedMessages {
  private readonly rows: Rows<typeof messageRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(messageRows);
  }

  /** Returns the filter of messages that hold every word and fit the rest; null where no word has the beginning. */
  async filterOf(scope: OrganisationScope, wanted: WantedMessages): Promise<MessageFilter | null> {
    const { searchScope, whole, beginning, has, from, since, until } = wanted;
    const begun = beginning === null ? null : await this.wordsFrom(scope, searchScope, beginning);
    if (begun?.length === 0) return null;
    // Files are rarer than words, so they come first: a store takes the first of several that narrow alike.
    const all: string[] = [...has.map((one) => fileKeys[one]), ...whole];
    const isNarrow = all.length > 0 || begun !== null;
    // Everything is from one side or the other: beside a key, the row tells it; alone, its key finds it.
    const role = from && isNarrow ? ({ role: from === 'me' ? 'person' : 'assistant' } as const) : {};
    const sources = from ? [sourceKeys[from]] : Object.values(sourceKeys);
    const any: readonly string[] | null = isNarrow ? begun : sources;
    const searchKeys = { ...(all.length > 0 && { $all: all }), ...(any && { $in: any }) };
    const createdAt = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
    return { searchScope, searchKeys, ...role, ...((since ?? until) && { createdAt }) };
  }

  /** Says whether this is found by keys that messages of earlier versions get only by and by. */
  needsKeysBesideWords({ whole, beginning, has }: WantedMessages): boolean {
    return has.length > 0 || (whole.length === 0 && beginning === null);
  }

  page(scope: OrganisationScope, where: MessageFilter, query: PageQuery): Promise<Page<MessageRow>> {
    return this.rows.within(scope).page(query, { ...newestFirst, where, to: (row) => row });
  }

  /** As `page`, without reading what the messages say. */
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
   * Lists words of messages that begin like this. Each read skips the word that the last one reached, so a word of
   * thousands of messages costs no more than one of twenty.
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
