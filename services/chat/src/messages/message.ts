import type { ConversationId, Message, SearchHit } from '@parley/contracts';
import { fold, tokenise } from '@parley/platform/text';
import type { Generation } from './generation.ts';
import type { MessageRow } from './message.schema.ts';

/** What a reader sees. An answer's text is its generation's: in the making its last checkpoint, then the whole. */
export function toMessage(row: MessageRow, generation: Generation | null): Message {
  return {
    id: row._id,
    conversationId: row.conversationId,
    position: row.position,
    sequence: row.sequence,
    role: row.role,
    text: generation ? generation.text : row.text,
    createdAt: row.createdAt.toISOString(),
    author: row.author && { userId: row.author.userId, name: row.author.name },
    answerTo: row.answerTo ?? null,
    generation: generation && toGeneration(generation),
    citations: (generation?.citations ?? []).map(({ heading, ...citation }) => ({
      ...citation,
      heading: heading ?? null,
    })),
  };
}

function toGeneration(generation: Generation): NonNullable<Message['generation']> {
  const { usage } = generation;
  return {
    id: generation._id,
    status: generation.status,
    failure: generation.failure ?? null,
    failureDetail: generation.failureDetail ?? null,
    epoch: generation.textEpoch,
    resumedAt: generation.resumedAt?.toISOString() ?? null,
    model: { key: generation.modelKey, label: generation.modelLabel },
    startedAt: generation.startedAt?.toISOString() ?? null,
    finishedAt: generation.finishedAt?.toISOString() ?? null,
    usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, estimated: usage.estimated },
  };
}

/** The key under which a person's own messages are found. */
export const searchScope = (orgId: string, userId: string): string => `${orgId}/${userId}`;

const snippetLength = 160;

/** A part of the text around the first match, with the [start, end) of every word in it that was asked for. */
export function snippetOf(text: string, query: string): Pick<SearchHit, 'snippet' | 'ranges'> {
  const terms = new Set(tokenise(query));
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    word: match[0],
  }));
  const hits = words.filter(({ word }) => tokenise(word).some((term) => terms.has(term)));
  const first = hits[0]?.start ?? 0;
  const start =
    first < snippetLength / 2 ? 0 : (words.find((word) => word.start >= first - snippetLength / 3)?.start ?? 0);
  const end = Math.min(text.length, start + snippetLength);
  const prefix = start > 0 ? '… ' : '';
  const ranges = hits
    .filter((hit) => hit.start >= start && hit.end <= end)
    .map((hit): [number, number] => [hit.start - start + prefix.length, hit.end - start + prefix.length]);
  return {
    snippet: `${prefix}${text.slice(start, end).replaceAll(/\s/g, ' ')}${end < text.length ? ' …' : ''}`,
    ranges,
  };
}

/** Every word of the query, folded; a query without words finds nothing. */
export const queryTerms = (query: string): string[] => [...new Set(tokenise(fold(query)))].slice(0, 12);

export function toSearchHit(row: MessageRow, titles: ReadonlyMap<ConversationId, string>, query: string): SearchHit[] {
  const conversationTitle = titles.get(row.conversationId);
  if (conversationTitle === undefined) return [];
  return [
    {
      conversationId: row.conversationId,
      conversationTitle,
      messageId: row._id,
      role: row.role,
      ...snippetOf(row.text, query),
      createdAt: row.createdAt.toISOString(),
    },
  ];
}
