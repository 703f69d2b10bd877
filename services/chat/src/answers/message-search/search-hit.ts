import type { ConversationId, SearchHit } from '@parley/contracts';
import { searchedCharacters, tokenise, type WantedWords } from '@parley/platform/text';
import type { MessageRow } from '../../conversations/index.ts';
import { plainTextOf } from './plain-answer.ts';

const snippetLength = 160;
/** The most characters before the first match that are parsed as Markdown; a snippet shows fewer. */
const readBefore = 600;
const readAfter = 800;

type Snippet = Pick<SearchHit, 'snippet' | 'ranges'>;
/** A part of a longer text. `isBegun`: text is missing before it. */
type Part = { readonly text: string; readonly isBegun: boolean; readonly isCut: boolean };

/** Returns the text around the first match, with the [start, end) of every wanted word. */
export const snippetOf = (text: string, wanted: WantedWords): Snippet =>
  snippetIn({ text, isBegun: false, isCut: false }, wanted);

/**
 * Returns a snippet like `snippetOf`, but of Markdown, without its syntax. Matches in hidden parts, such as URLs,
 * aren't marked.
 */
export function answerSnippetOf(markdown: string, wanted: WantedWords): Snippet {
  const { start, end } = aroundMatch(markdown, hitsIn(markdown, wanted)[0]?.start ?? 0);
  const text = plainTextOf(markdown.slice(start, end));
  return snippetIn({ text, isBegun: start > 0, isCut: end < markdown.length }, wanted);
}

function snippetIn({ text, isBegun, isCut }: Part, wanted: WantedWords): Snippet {
  const hits = hitsIn(text, wanted);
  const first = hits[0]?.start ?? 0;
  const start =
    first < snippetLength / 2 ? 0 : (wordsIn(text).find((word) => word.start >= first - snippetLength / 3)?.start ?? 0);
  const end = Math.min(text.length, start + snippetLength);
  const prefix = isBegun || start > 0 ? '… ' : '';
  const ranges = hits
    .filter((hit) => hit.start >= start && hit.end <= end)
    .map((hit): [number, number] => [hit.start - start + prefix.length, hit.end - start + prefix.length]);
  return {
    snippet: `${prefix}${text.slice(start, end).replaceAll(/\s/g, ' ')}${isCut || end < text.length ? ' …' : ''}`,
    ranges,
  };
}

const wordsIn = (text: string) =>
  [...text.slice(0, searchedCharacters).matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    word: match[0],
  }));

function hitsIn(text: string, { whole, beginning }: WantedWords) {
  const terms = new Set(whole);
  const isWanted = (term: string) => terms.has(term) || (beginning !== null && term.startsWith(beginning));
  return wordsIn(text).filter(({ word }) => tokenise(word).some(isWanted));
}

/**
 * Returns where the Markdown around a match starts and ends. Starts at the match's block or a line of it, because
 * syntax only has its meaning from there.
 */
function aroundMatch(markdown: string, match: number): { start: number; end: number } {
  const earliest = Math.max(0, match - readBefore);
  const before = markdown.slice(earliest, match);
  const block = before.lastIndexOf('\n\n');
  const line = before.indexOf('\n');
  const isWhole = earliest === 0 && block < 0;
  const start = isWhole ? 0 : earliest + (block >= 0 ? block + 2 : line >= 0 ? line + 1 : 0);
  return { start, end: Math.min(markdown.length, match + readAfter) };
}

export function toSearchHit(
  row: MessageRow,
  titles: ReadonlyMap<ConversationId, string>,
  wanted: WantedWords,
): SearchHit[] {
  const conversationTitle = titles.get(row.conversationId);
  if (conversationTitle === undefined) return [];
  const shown = row.role === 'assistant' ? answerSnippetOf : snippetOf;
  const text = row.text === '' ? (row.files ?? []).map(({ name }) => name).join(', ') : row.text;
  return [
    {
      conversationId: row.conversationId,
      conversationTitle,
      messageId: row._id,
      role: row.role,
      ...shown(text, wanted),
      createdAt: row.createdAt.toISOString(),
    },
  ];
}
