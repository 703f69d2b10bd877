import { askedWords } from '@parley/platform/text';
import type { ModelTurn } from './model-client.ts';

/** With fewer words of its own a question is about what was asked before it. */
const fewestWords = 2;

/** What documents are searched for: the last question, and where it names next to nothing the one before it, too. */
export function searchedOf(turns: readonly ModelTurn[]): string {
  const asked = turns.filter(({ role }) => role === 'person').map(({ text }) => text);
  const last = asked.at(-1) ?? '';
  const own = askedWords(last).filter(({ isAsking }) => !isAsking);
  return own.length < fewestWords ? asked.slice(-2).join('\n') : last;
}
