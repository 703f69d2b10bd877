/** Cut in two, these look as before. */
const divisible: ReadonlySet<string> = new Set(['STRONG', 'EM', 'B', 'I', 'DEL', 'S', 'MARK']);
const longestTied = 32;

const figureWithSign = /[€$£¥] \d[\d.,]*|\d[\d.,]* (?:[%‰€$£¥]|°[CF]?)/u;

/** No line is broken between a figure and its sign. Code, formulas and what is copied of a table stay as they were written. */
export function tieFigures(content: DocumentFragment): void {
  if (!figureWithSign.test(content.textContent ?? '')) return;
  const walker = content.ownerDocument.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) if (!text.parentElement?.closest('code, .md-math')) tieIn(text);
}

function tieIn(text: Text): void {
  const match = figureWithSign.exec(text.data);
  if (!match) return;
  const tied = text.ownerDocument.createElement('span');
  tied.className = 'md-tied';
  const figure = text.splitText(match.index);
  const rest = figure.splitText(match[0].length);
  figure.replaceWith(tied);
  tied.append(figure);
  // An empty one would stand between the figure and a citation.
  if (rest.data === '') rest.remove();
  else tieIn(rest);
}

/**
 * A citation stands on the line of the word before it: both are put where no line is broken, for browsers break lines
 * before a button whatever stands there.
 */
export function tieCitations(content: DocumentFragment): void {
  for (const citation of content.querySelectorAll('.md-cite')) {
    const before = citation.previousSibling;
    if (before instanceof Element && before.classList.contains('md-tied')) {
      before.append('\u00a0', citation);
      continue;
    }
    const word = before && lastWordOf(before);
    if (!word) continue;
    const tied = content.ownerDocument.createElement('span');
    tied.className = 'md-tied';
    word.before(tied);
    tied.append(word, '\u00a0', citation);
  }
}

/** The end of it as a node of its own; null where nothing can be cut off. */
function lastWordOf(node: Node): Text | Element | null {
  if (node instanceof Text) {
    const start = lastGap(node.data);
    if (start >= node.length) return null;
    return start === 0 ? node : node.splitText(start);
  }
  if (!(node instanceof Element)) return null;
  if ((node.textContent ?? '').length <= longestTied) return node;
  if (!divisible.has(node.tagName) || !node.lastChild) return null;
  const word = lastWordOf(node.lastChild);
  if (!word) return null;
  const rest = node.cloneNode(false) as Element;
  rest.append(word);
  node.after(rest);
  return rest;
}

/** Where the last word begins, or the last signs of one that is too long for a line. */
function lastGap(text: string): number {
  const end = text.slice(-longestTied);
  const gap = end.search(/\s\S*$/);
  return text.length - end.length + (gap < 0 ? 0 : gap + 1);
}
