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
  /** Words by which people ask, which texts that answer need not hold; by their stems. */
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
/** Written with nothing else than these: endings and small words of Japanese. */
const kanaOnly = /^\p{Script=Hiragana}+$/u;
/** A pair that begins or ends in them is mostly one of two words. */
const withKana = /\p{Script=Hiragana}/u;
/** So much of a text tells its language. */
const judgedCharacters = 20_000;

/** The language of a text by the small words that it is full of; null where there are none. */
export function languageOf(text: string): StemmedLanguage | null {
  const counts = new Map<StemmedLanguage, number>();
  for (const term of termsOf(text.slice(0, judgedCharacters)))
    for (const code of stemmedLanguages)
      if (languages[code].stopwords.has(term)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best?.[0] ?? null;
}

/** So many stems of a language are remembered: most words of most texts are among them. */
const mostRemembered = 20_000;
const remembered = new Map<StemmedLanguage, Map<string, string>>();

/** A term of a text in this language as the index keeps it. */
export function stemOf(term: string, language: StemmedLanguage | null): string {
  if (language === null) return term;
  let stems = remembered.get(language);
  if (!stems || stems.size >= mostRemembered) remembered.set(language, (stems = new Map()));
  let stem = stems.get(term);
  if (stem === undefined) stems.set(term, (stem = languages[language].stem(term)));
  return stem;
}

/** The words of a text one after the other as the index keeps them: folded, by their stems. */
export function* stemsOf(text: string, language: StemmedLanguage | null): Generator<string> {
  for (const term of termsOf(text)) yield stemOf(term, language);
}

export type AskedWord = {
  /** By any of these it is found, whatever the language of what holds it. */
  readonly stems: readonly string[];
  /** It says how something is asked, not what about: an answer need not hold it. */
  readonly isAsking: boolean;
};

/**
 * What a question asks about: its words without the small ones, each once. Where its language cannot be told, a word is
 * looked for as any language would fold it.
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
