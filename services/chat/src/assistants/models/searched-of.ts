import { askedWords } from '@parley/platform/text';
import type { ModelMessage } from './model-client.ts';

/** With fewer words of its own a question is about what was asked before it. */
const fewestWords = 2;
/** So much from each end of a question is searched for. What lies between is what it is about: a mail, a table, a log. */
const endCharacters = 2_000;

/** What documents are searched for: the last question, and where it names next to nothing the one before it, too. */
export function searchedOf(path: readonly ModelMessage[]): string {
  const asked = path.filter(({ role }) => role === 'person').map(({ text }) => endsOf(text));
  const last = asked.at(-1) ?? '';
  const own = askedWords(last).filter(({ isAsking }) => !isAsking);
  return own.length < fewestWords ? asked.slice(-2).join('\n') : last;
}

const endsOf = (text: string): string =>
  text.length <= 2 * endCharacters
    ? text
    : `${text.slice(0, endCharacters)}\n${text.slice(-endCharacters)}`.toWellFormed();
