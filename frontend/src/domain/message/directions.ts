const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const own = new Set(['P', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'TH', 'TD', 'SUMMARY']);
const holders = new Set(['UL', 'OL', 'BLOCKQUOTE', 'TABLE']);

/**
 * Each paragraph, item and cell runs as its own words do: an answer may hold several languages. What holds them runs as
 * its first word does, for the browser looks at no words in elements that have a direction of their own.
 */
export function giveDirection(element: Element): void {
  const { tagName } = element;
  if (own.has(tagName)) element.setAttribute('dir', 'auto');
  else if (tagName === 'LI') element.setAttribute('dir', holdsParagraph(element) ? directionOf(element) : 'auto');
  else if (holders.has(tagName) || element.classList.contains('md-table'))
    element.setAttribute('dir', directionOf(element));
}

const holdsParagraph = (item: Element): boolean => [...item.children].some(({ tagName }) => tagName === 'P');

/** By the first letter; without one the browser decides. */
function directionOf(element: Element): 'ltr' | 'rtl' | 'auto' {
  const letter = /\p{L}/u.exec(element.textContent ?? '')?.[0];
  if (letter === undefined) return 'auto';
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}
