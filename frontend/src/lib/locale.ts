import type { Locale } from '@parley/contracts';
import { readStored, writeStored } from './stored.ts';

/** In the order of the language menu; names in their own language. */
export const locales: { locale: Locale; name: string }[] = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
  { locale: 'ar', name: 'العربية' },
];

const rightToLeft: ReadonlySet<Locale> = new Set<Locale>(['ar']);

export const isLocale = (value: string | undefined): value is Locale => locales.some(({ locale }) => locale === value);

export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (rightToLeft.has(locale) ? 'rtl' : 'ltr');

/**
 * The locale of dates and figures: the language with the region that the browser prefers for it, such as `en-GB`; English
 * without one is British, as our words are. In Arabic too, digits are Latin, as in code and money, and the calendar is that
 * of the date fields.
 */
export function intlLocaleOf(locale: Locale, preferred: readonly string[] = navigator.languages): string {
  const own = preferred.find((tag) => withRegion.test(tag) && tag.startsWith(`${locale}-`)) ?? regions[locale];
  return locale === 'ar' ? `${own}-u-ca-gregory-nu-latn` : own;
}

const withRegion = /^[a-z]{2}-[A-Z]{2}$/;
const regions: Readonly<Record<Locale, string>> = { en: 'en-GB', de: 'de', ar: 'ar' };

const storageKey = 'parley.locale';

/**
 * For addresses without a locale, should the server not have redirected: the saved choice, then the browser's
 * languages.
 */
export function preferredLocale(): Locale {
  const wanted = [readStored<string>('local', storageKey), ...navigator.languages].map((tag) => tag?.split('-')[0]);
  return wanted.find(isLocale) ?? 'en';
}

/** The cookie is for the server's redirect of addresses without a locale. */
export function rememberLocale(locale: Locale): void {
  writeStored('local', storageKey, locale);
  document.cookie = `parley-locale=${locale}; path=/; max-age=31536000; samesite=lax`;
}
