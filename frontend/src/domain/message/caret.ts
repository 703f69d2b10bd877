const holders: ReadonlySet<string> = new Set(
  'P H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE DIV PRE DETAILS TABLE THEAD TBODY TR TH TD'.split(' '),
);

/** One caret behind the last word, however deep that stands. */
export function placeCaret(content: DocumentFragment): void {
  let place: DocumentFragment | Element = content;
  for (let last = lastHolder(place); last; last = lastHolder(place)) place = last;
  const caret = content.ownerDocument.createElement('span');
  caret.className = 'md-caret';
  place.append(caret);
}

/** The element that the text ends in; a table that has only its head yet has an empty body behind it. */
function lastHolder(place: DocumentFragment | Element): Element | null {
  let last = place.lastElementChild;
  if (last?.tagName === 'TBODY' && last.childElementCount === 0) last = last.previousElementSibling;
  if (!last || last.nextSibling?.textContent?.trim()) return null;
  return holders.has(last.tagName) || (last.tagName === 'CODE' && last.parentElement?.tagName === 'PRE') ? last : null;
}
