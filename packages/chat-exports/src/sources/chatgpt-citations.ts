import { markdownLink, mostTextLength, webAddress } from '../cleaning.ts';
import type { ChatGptMessage } from './chatgpt-fields.ts';

type Metadata = ChatGptMessage['metadata'];
type Source = { readonly title: string | null; readonly url: string | null };

/** Marks of ChatGPT begin with U+E200, end with U+E201 and have U+E202 between their parts. */
const mark = /[ \t]?\uE200([^\uE200\uE201]*)\uE201/g;
const cutMark = /\uE200[a-z_]*(?:\uE202[^\s\uE200-\uE206]*)*/g;
const strayMark = /[\uE200-\uE206]/g;
const oldMark = /[ \t]?【[^【】\n]{0,100}†[^【】\n]{0,200}】/g;

const mostLinks = 10;
function linksTo(sources: readonly Source[]): string {
  const links = new Map<string, string>();
  for (const { title, url } of sources.slice(0, mostLinks)) {
    const address = webAddress(url);
    if (address !== null && !links.has(address)) links.set(address, markdownLink(title, address));
  }
  return links.size === 0 ? '' : ` (${[...links.values()].join(', ')})`;
}

/** The name of an entity: `entity`, then a list like `["city","Paris","…"]`. */
function entityName(json: string | undefined): string {
  try {
    const list: unknown = JSON.parse(json ?? '');
    const name: unknown = Array.isArray(list) ? list[1] : null;
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}

/**
 * Replaces marks of citations by links where the message says what they cite, and removes the others. A mark is found by
 * its own text; the positions in these lists address nothing in the export.
 */
export function withLinks(text: string, metadata: Metadata): string {
  const references = new Map(metadata?.content_references.map((each) => [each.matched_text?.trim() ?? '', each]));
  const sourcesOf = (matched: string): readonly Source[] => {
    const found = references.get(matched.trim());
    if (!found) return [];
    return found.items.length > 0 ? found.items : [found];
  };
  // One long reference can be cited by each word of a text.
  let room = mostTextLength;
  const linksWithin = (sources: readonly Source[]): string => {
    const links = room > 0 ? linksTo(sources) : '';
    room -= links.length;
    return links;
  };
  const oldMarks = text.match(oldMark) ?? [];
  const citations = metadata?.citations ?? [];
  let number = -1;
  return text
    .replaceAll(mark, (matched: string, inner: string) => {
      const [kind, ...rest] = inner.split('\uE202');
      const space = matched.startsWith('\uE200') ? '' : ' ';
      return kind === 'entity' ? space + entityName(rest[0]) : linksWithin(sourcesOf(matched));
    })
    .replaceAll(oldMark, (matched) => {
      number += 1;
      const cited = oldMarks.length === citations.length ? citations[number]?.metadata : null;
      return linksWithin(cited ? [cited] : sourcesOf(matched));
    })
    .replaceAll(cutMark, '')
    .replaceAll(strayMark, '');
}
