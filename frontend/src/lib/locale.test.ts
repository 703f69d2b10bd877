import { expect, it } from '@jest/globals';
import { intlLocaleOf } from './locale.ts';

it.each([
  ['en', ['en-US', 'en'], 'Nov 29, 2026'],
  ['en', ['de-DE', 'de', 'en-GB', 'en'], '29 Nov 2026'],
  ['en', ['en-AU'], '29 Nov 2026'],
  ['en', ['de-DE', 'de', 'en'], '29 Nov 2026'],
  ['en', ['en-US@posix'], '29 Nov 2026'],
  ['en', [], '29 Nov 2026'],
  ['de', ['de-AT', 'de', 'en-US'], '29. Nov. 2026'],
  ['de', ['en-US'], '29. Nov. 2026'],
  ['ar', ['ar-EG', 'ar'], '29 نوفمبر 2026'],
  // Its own calendar would be another one than that of the date fields.
  ['ar', ['ar-SA', 'ar'], '29 نوفمبر 2026'],
  ['ar', ['en-US'], '29 نوفمبر 2026'],
] as const)(
  'dates in %s are written as in the region that the browser prefers for it: %j',
  (locale, preferred, words) => {
    const date = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
    expect(new Intl.DateTimeFormat(intlLocaleOf(locale, preferred), date).format(Date.UTC(2026, 10, 29))).toBe(words);
  },
);
