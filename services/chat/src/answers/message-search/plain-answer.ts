import { marked, type Token, type Tokens } from 'marked';

const citation = /\s*\[\d{1,3}\](?![(:])/g;
const tag = /<[^>]*>/g;

/** Returns the text of Markdown as one line without its syntax, for a snippet. */
export const plainTextOf = (markdown: string): string => wordsOf(marked.lexer(markdown)).replaceAll(/\s+/g, ' ').trim();

const wordsOf = (tokens: readonly Token[]): string => tokens.map(wordOf).join('');

function wordOf(token: Token): string {
  switch (token.type) {
    case 'code':
      return ` ${(token as Tokens.Code).text} `;
    case 'codespan':
      return (token as Tokens.Codespan).text;
    case 'html':
      return (token as Tokens.HTML).text.replaceAll(tag, ' ');
    case 'image':
      return (token as Tokens.Image).text;
    case 'table':
      return [(token as Tokens.Table).header, ...(token as Tokens.Table).rows].map(lineOf).join(' ');
    case 'list':
      return (token as Tokens.List).items.map(({ tokens }) => ` ${wordsOf(tokens)} `).join('');
    case 'space':
    case 'br':
      return ' ';
    default:
      return otherOf(token);
  }
}

const lineOf = (cells: readonly Tokens.TableCell[]): string => cells.map(({ tokens }) => wordsOf(tokens)).join(' · ');

/**
 * Returns the text of a token: that of its child tokens, if it has any. Other tokens that aren't text are only syntax.
 */
function otherOf(token: Token): string {
  const within = 'tokens' in token ? token.tokens : undefined;
  if (within) return isBlock(token.type) ? ` ${wordsOf(within)} ` : wordsOf(within);
  return token.type === 'text' || token.type === 'escape' ? (token as Tokens.Text).text.replaceAll(citation, '') : '';
}

const isBlock = (type: string): boolean => type === 'paragraph' || type === 'heading' || type === 'blockquote';
