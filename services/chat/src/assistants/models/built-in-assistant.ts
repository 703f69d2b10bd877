import { setTimeout as wait } from 'node:timers/promises';
import { builtInTexts } from './built-in-texts.ts';
import type { ModelClient, ModelRequest, NumberedPassage, OnPart } from './model-client.ts';
import { quotationsOf } from './quotation.ts';
import { searchedOf } from './searched-of.ts';

const mostQuotes = 4;
const wordsPerPart = 3;
const partEveryMs = 12;

/**
 * Answers without a language model: quotes what the best passages say to the question, and says so where none says
 * anything.
 * Streams through the same path as any model, so what holds for its answers holds for all.
 */
export class BuiltInAssistant implements ModelClient {
  async answer(request: ModelRequest, onPart: OnPart): Promise<void> {
    const words = restOf(request).split(/(?<=\s)/);
    for (let at = 0; at < words.length; at += wordsPerPart) {
      await onPart({ kind: 'text', text: words.slice(at, at + wordsPerPart).join('') });
      await wait(partEveryMs, undefined, { signal: request.signal });
    }
    onPart({ kind: 'usage', inputTokens: 0, outputTokens: 0 });
  }
}

/** The whole answer as Markdown, with `[n]` behind each quotation. */
export function composeAnswer({
  path,
  passages,
  documentCount,
  locale,
}: Pick<ModelRequest, 'path' | 'passages' | 'documentCount' | 'locale'>): string {
  const texts = builtInTexts(locale);
  const curated = passages.find((passage) => passage.curated);
  if (curated) return wordForWord(curated);
  if (documentCount === 0 && passages.length === 0) return texts.noDocuments;
  const quotes = quotationsOf(passages, searchedOf(path), mostQuotes);
  if (quotes.length === 0) return `${texts.nothingAnswers} ${texts.otherWords}\n\n${texts.onlyQuotes}`;
  return `${texts.found}\n\n${quotes.join('\n\n')}\n\n${texts.honest}`;
}

/** Below a table or code the number stands by itself: it would be part of that. */
function wordForWord({ text, number }: NumberedPassage): string {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  return `${text}${/^\s*([|`~]|\S.*\|\s*$)/.test(last) ? '\n\n' : ' '}[${number}]`;
}

/** What is said of the same question goes on where it stopped; where it is another by now, it follows whole. */
function restOf(request: ModelRequest): string {
  const whole = composeAnswer(request);
  if (whole.startsWith(request.beginning)) return whole.slice(request.beginning.length);
  return `\n\n${whole}`;
}
