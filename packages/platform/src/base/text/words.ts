import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stopwords as arabicStopwords } from '@orama/stopwords/arabic';
import { stopwords as englishStopwords } from '@orama/stopwords/english';
import { stopwords as frenchStopwords } from '@orama/stopwords/french';
import { stopwords as germanStopwords } from '@orama/stopwords/german';
import { stopwords as portugueseStopwords } from '@orama/stopwords/portuguese';
import { stopwords as spanishStopwords } from '@orama/stopwords/spanish';
import { termsOf, tokenise } from './tokenise.ts';

type Language = {
  readonly stem: (word: string) => string;
  readonly stopwords: ReadonlySet<string>;
  /** Stems of question words, which an answering text need not contain. */
  readonly asking: ReadonlySet<string>;
};
const languageWith = (stem: Language['stem'], stopwords: readonly string[], asking: string): Language => ({
  stem,
  stopwords: new Set(stopwords.flatMap(tokenise)),
  asking: new Set(tokenise(asking).map(stem)),
});

/** Languages whose word forms are folded into one. */
const languages = {
  ar: languageWith(arabic, arabicStopwords, 'كم متى أين كيف هل ما لماذا يمكن مدة عدد'),
  de: languageWith(
    german,
    germanStopwords,
    'viel viele hoch lange oft weit groß schnell bekomme brauche darf muss steht gilt heißt lautet bedeutet gibt geht kostet welche wann eine andere erste zweite dritte nächste letzte',
  ),
  en: languageWith(
    english,
    englishStopwords,
    'many much long often far high big quickly soon get need may must give happen mean say tell show know like would could within use one ones other another first second third next last',
  ),
  es: languageWith(
    spanish,
    spanishStopwords,
    'cuánto cuántos cuánta cuántas cuándo dónde cómo debo puedo cuesta significa',
  ),
  fr: languageWith(french, frenchStopwords, 'combien quand comment où dois peux faut coûte signifie'),
  pt: languageWith(
    portuguese,
    portugueseStopwords,
    'quanto quantos quanta quantas quando onde como devo posso custa significa',
  ),
} satisfies Record<string, Language>;
export type StemmedLanguage = keyof typeof languages;
export const stemmedLanguages = Object.keys(languages) as [StemmedLanguage, ...StemmedLanguage[]];
/** Matches endings and small words of Japanese, which use only these letters. */
const kanaOnly = /^\p{Script=Hiragana}+$/u;
/** Matches hiragana. A pair of characters with hiragana mostly spans two words, so an answer need not contain it. */
const withKana = /\p{Script=Hiragana}/u;
/** Limits the characters at a text's beginning that decide its language. */
const judgedCharacters = 20_000;

/** Returns the language of a text by its most frequent small words; null without any. */
export function languageOf(text: string): StemmedLanguage | null {
  const counts = new Map<StemmedLanguage, number>();
  for (const term of termsOf(text.slice(0, judgedCharacters)))
    for (const code of stemmedLanguages)
      if (languages[code].stopwords.has(term)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best?.[0] ?? null;
}

/** Limits the stems of a language that are cached: they include most words of most texts. */
const mostRemembered = 20_000;
const remembered = new Map<StemmedLanguage, Map<string, string>>();

/** Returns the form of a term that the index stores: its stem in this language; for null the term itself. */
export function stemOf(term: string, language: StemmedLanguage | null): string {
  if (language === null) return term;
  let stems = remembered.get(language);
  if (!stems || stems.size >= mostRemembered) remembered.set(language, (stems = new Map()));
  let stem = stems.get(term);
  if (stem === undefined) stems.set(term, (stem = languages[language].stem(term)));
  return stem;
}

/** Yields the words of a text in their index form: folded stems. */
export function* stemsOf(text: string, language: StemmedLanguage | null): Generator<string> {
  for (const term of termsOf(text)) yield stemOf(term, language);
}

export type AskedWord = {
  /** The word's stems in its possible languages; a text with any one of them contains the word. */
  readonly stems: readonly string[];
  /** True if the word only asks, such as `many` in a question, so that an answer need not contain it. */
  readonly isAsking: boolean;
};

/**
 * Returns the words of a question, each once, without small words such as `the`. If the question's language isn't
 * known, each word has its stems in all languages.
 */
export function askedWords(question: string): AskedWord[] {
  const language = languageOf(question);
  const folded = language === null ? stemmedLanguages : [language];
  const isSmall = (term: string): boolean =>
    kanaOnly.test(term) || (language !== null && languages[language].stopwords.has(term));
  const words = new Map<string, AskedWord>();
  for (const term of termsOf(question)) {
    if (isSmall(term)) continue;
    const stems = [...new Set([...folded.map((code) => stemOf(term, code)), term])];
    const isAsking = withKana.test(term) || folded.some((code) => languages[code].asking.has(stemOf(term, code)));
    words.set(stems[0] ?? term, { stems, isAsking });
  }
  return [...words.values()];
}
