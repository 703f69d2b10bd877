// Reads a Markdown page: its anchors as GitHub makes them, its links, its code blocks.
import { marked } from 'marked';

const plain = (tokens) => tokens.map(({ tokens: inner, text, raw }) => (inner ? plain(inner) : (text ?? raw))).join('');

/** Returns what GitHub makes of a heading: lower case, hyphens for spaces, no punctuation. */
export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** Returns anchors, addresses and code blocks of a page, and the rows of its tables by heading. */
export function readPage(text) {
  const page = { anchors: new Set(), links: [], blocks: [], tables: new Map() };
  let heading = '';
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'heading') {
      heading = plain(token.tokens);
      page.anchors.add(freeSlug(slugOf(heading), page.anchors));
    }
    if (token.type === 'link' || token.type === 'image') page.links.push(token.href);
    if (token.type === 'html') readHtml(token.raw, page);
    if (token.type === 'code') page.blocks.push({ info: token.lang ?? '', text: token.text });
    if (token.type === 'table') page.tables.set(heading, token.rows.map(rowOf));
  });
  return page;
}

function freeSlug(slug, taken) {
  let free = slug;
  for (let count = 1; taken.has(free); count += 1) free = `${slug}-${count}`;
  return free;
}

const rowOf = (cells) => cells.map(({ text, tokens }) => ({ text, links: linksIn(tokens) }));

function linksIn(tokens) {
  const links = [];
  void marked.walkTokens(tokens, ({ type, href }) => {
    if (type === 'link') links.push(href);
  });
  return links;
}

function readHtml(html, { anchors, links }) {
  for (const [, name, value] of html.matchAll(/\b(href|src|srcset|id|name)="([^"]*)"/g)) {
    if (name === 'id' || name === 'name') anchors.add(value);
    else links.push(value);
  }
}
