const languages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ar'];
const seasons =
  'spring summer autumn fall winter frühling frühjahr sommer herbst printemps été automne hiver primavera verano otoño invierno verão outono';
/** Signs that stand for the letters they look like, where letters are on both sides. */
const lookAlikes: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
};

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter(Boolean);
const spelledOut = (text: string): string =>
  text.replaceAll(/(?<=\p{L})[013457@$](?=\p{L})/gu, (sign) => lookAlikes[sign] ?? sign);

/** Months and weekdays, whole and short, and seasons, in the languages of most users. */
const calendar: ReadonlySet<string> = new Set([...languages.flatMap(monthsAndDays), ...wordsIn(seasons)]);

function monthsAndDays(language: string): string[] {
  return (['long', 'short'] as const).flatMap((style) => {
    const [month, weekday] = (['month', 'weekday'] as const).map(
      (part) => new Intl.DateTimeFormat(language, { [part]: style, timeZone: 'UTC' }),
    ) as [Intl.DateTimeFormat, Intl.DateTimeFormat];
    const months = Array.from({ length: 12 }, (_, at) => month.format(Date.UTC(2026, at, 1)));
    const days = Array.from({ length: 7 }, (_, at) => weekday.format(Date.UTC(2026, 0, at + 1)));
    return [...months, ...days].flatMap(wordsIn);
  });
}

/**
 * Whether all letters of a password are words that guessing rules begin with: those of the context (names) and of the
 * calendar. Digits and signs around them add nothing, as in `November2026!!`.
 */
export function hasOnlyWords(password: string, context: readonly string[]): boolean {
  const known = new Set(context.flatMap((text) => [text.toLowerCase(), ...wordsIn(text)]));
  return [password, spelledOut(password)].some((text) => {
    const words = wordsIn(text);
    return words.length > 0 && words.every((word) => known.has(word) || calendar.has(word));
  });
}
