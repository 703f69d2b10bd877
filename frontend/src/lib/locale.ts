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

/** Numbers, code and money stay in Latin digits, also in Arabic. */
export const intlLocaleOf = (locale: Locale): string => (locale === 'ar' ? 'ar-u-nu-latn' : locale);

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
