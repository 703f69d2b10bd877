/** Limits the characters of a suggested name. People can enter up to 40 characters (`organisationSlug`). */
const longest = 24;
/** Replaces letters that Unicode doesn't decompose, and German umlauts, which become two letters. */
const written: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * Returns the URL name that is suggested for an organisation: Latin letters without accents, everything else a hyphen.
 * A long name is cut before a hyphen, so that no word is cut, unless its first word is too long already. Empty for a
 * name without any Latin letter or digit: the server transliterates such a name.
 */
export function slugFrom(name: string): string {
  const whole = name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüßæœøłđðþı]/g, (letter) => written[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (whole.length <= longest) return whole;
  const words = whole.slice(0, longest + 1).lastIndexOf('-');
  return whole.slice(0, words > 0 ? words : longest);
}
