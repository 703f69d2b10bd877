import type { ConversationId, SearchHit } from '@parley/contracts';
import { searchedCharacters, tokenise, type WantedWords } from '@parley/platform/text';
import type { MessageRow } from '../conversations/index.ts';

const snippetLength = 160;

/** A part of the text around the first match, with the [start, end) of every word in it that was asked for. */
export function snippetOf(text: string, { whole, beginning }: WantedWords): Pick<SearchHit, 'snippet' | 'ranges'> {
  const terms = new Set(whole);
  const isWanted = (term: string) => terms.has(term) || (beginning !== null && term.startsWith(beginning));
  const words = [...text.slice(0, searchedCharacters).matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    word: match[0],
  }));
  const hits = words.filter(({ word }) => tokenise(word).some(isWanted));
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

export function toSearchHit(
  row: MessageRow,
  titles: ReadonlyMap<ConversationId, string>,
  wanted: WantedWords,
): SearchHit[] {
  const conversationTitle = titles.get(row.conversationId);
  if (conversationTitle === undefined) return [];
  return [
    {
      conversationId: row.conversationId,
      conversationTitle,
      messageId: row._id,
      role: row.role,
      ...snippetOf(row.text, wanted),
      createdAt: row.createdAt.toISOString(),
    },
  ];
}
