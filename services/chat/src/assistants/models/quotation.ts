import { askedWords, languageOf, stemOf, termsOf, type AskedWord, type StemmedLanguage } from '@parley/platform/text';
import type { NumberedPassage } from './model-client.ts';

const mostSentences = 3;
const mostRows = 3;
const mostParts = 4;
const quoteCharacters = 420;
/** A quotation that says less than this part of what the best one says is beside the question. */
const leastOfBest = 0.9;
/** After these a new sentence begins, unless they end a number: `31. March`, `2. Then`. */
const betweenSentences = /(?<=[.!?؟。！？])(?<!(?:^|\s)\d{1,3}\.)\s+|(?<=[。！？])|\n+/u;
const isTableLine = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);

/** Some of a passage as Markdown, and how many of the words that were asked about stand there or in its heading. */
type Quotation = { readonly markdown: string; readonly said: number };

/** Parts of a question that each want an answer. */
const betweenParts = /[,;?!،؛؟、。？！]+|\s(?:and|und|et|y|e)\s|\sو/u;
/** The words of one part; the same word is the same object in all of them. */
type Part = readonly AskedWord[];

/**
 * What the best passages say to a question, best first, each once and no more than it needs. Where none has a word of it
 * the one that is closest in meaning, from its beginning.
 */
export function quotationsOf(passages: readonly NumberedPassage[], question: string, most: number): string[] {
  const parts = partsOf(question);
  const asLanguage = languageOf(question);
  const quoted = passages.map((passage) => quotationOf(passage, parts, asLanguage));
  const best = Math.max(0, ...quoted.map(({ said }) => said));
  if (best === 0)
    return quoted
      .filter((_, at) => passages[at]?.similarity !== undefined)
      .slice(0, 1)
      .map(markdownOf);
  return quoted
    .filter(({ said }) => said > 0 && said >= best * leastOfBest)
    .slice(0, most)
    .map(markdownOf);
}

const markdownOf = ({ markdown }: Quotation): string => markdown;

/** Words that say how something is asked count only where the question has no others. */
function partsOf(question: string): readonly Part[] {
  const words = askedWords(question);
  const telling = words.filter(({ isAsking }) => !isAsking);
  const counted = new Map((telling.length > 0 ? telling : words).map((word) => [word.stems[0], word]));
  const language = languageOf(question);
  const parts = question
    .split(betweenParts)
    .map((part) => [...termsOf(part)].flatMap((term) => counted.get(stemOf(term, language)) ?? []));
  return parts.filter(({ length }) => length > 0).slice(0, mostParts);
}

function quotationOf(passage: NumberedPassage, parts: readonly Part[], asLanguage: StemmedLanguage | null): Quotation {
  const language = languageOf(`${passage.heading ?? ''}\n${passage.text}`) ?? asLanguage;
  const asked = [...new Set(parts.flat())];
  const saidIn = (text: string): ReadonlySet<AskedWord> => wordsIn(text, asked, language);
  const above = saidIn(`${passage.heading ?? ''} ${passage.documentName}`);
  const lines = passage.text.split('\n');
  const table = lines.filter(isTableLine);
  const quoted =
    table.length > 2 && table.length >= lines.filter(Boolean).length / 2
      ? rowsOf(table, saidIn, passage.number)
      : runsOf(passage, parts, saidIn);
  return { markdown: quoted.markdown, said: new Set([...above, ...quoted.words]).size };
}

function wordsIn(text: string, asked: readonly AskedWord[], language: StemmedLanguage | null): ReadonlySet<AskedWord> {
  const stems = new Set<string>();
  for (const term of termsOf(text)) stems.add(term).add(stemOf(term, language));
  return new Set(asked.filter((word) => word.stems.some((stem) => stems.has(stem))));
}

type SaidIn = (text: string) => ReadonlySet<AskedWord>;
type Found = { readonly markdown: string; readonly words: ReadonlySet<AskedWord> };

/** The rows that say most, under the names of their columns. The number stands below: it would be part of a cell. */
function rowsOf([names = '', line = '', ...rows]: readonly string[], saidIn: SaidIn, number: number): Found {
  const counted = rows.map((row) => ({ row, words: saidIn(row) }));
  const most = Math.max(0, ...counted.map(({ words }) => words.size));
  const best = counted.filter(({ words }) => words.size === most).slice(0, mostRows);
  const markdown = [names, line, ...best.map(({ row }) => row), '', `[${number}]`].join('\n');
  return { markdown, words: new Set([...saidIn(names), ...best.flatMap(({ words }) => [...words])]) };
}

/** For each part of the question the shortest run of sentences that says as much to it as any, in their order. */
function runsOf({ text, number }: NumberedPassage, parts: readonly Part[], saidIn: SaidIn): Found {
  const sentences = text
    .split(betweenSentences)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && !sentence.startsWith('#'));
  const said = sentences.map(saidIn);
  const chosen = new Set(parts.flatMap((part) => runFor(part, sentences, said)));
  const kept = sentences.filter((_sentence, at) => chosen.has(at));
  const quoted = kept.length > 0 ? kept.join(' ') : text;
  const words = new Set([...chosen].flatMap((at) => [...(said[at] ?? [])]));
  return { markdown: `> ${quoted.slice(0, quoteCharacters).replaceAll(/\s+/g, ' ')} [${number}]`, words };
}

/** Where these sentences stand; nowhere when none says anything. */
function runFor(part: Part, sentences: readonly string[], said: readonly ReadonlySet<AskedWord>[]): number[] {
  let best = { at: 0, length: 0, count: 0 };
  for (let length = 1; length <= mostSentences; length += 1)
    for (let at = 0; at + length <= sentences.length; at += 1) {
      const run = Array.from({ length }, (_, index) => at + index);
      const count = part.filter((word) => run.some((index) => said[index]?.has(word))).length;
      if (count > best.count) best = { at, length, count };
    }
  return Array.from({ length: best.length }, (_, index) => best.at + index);
}
