import { z } from 'zod';
import { isWellFormed, plainName } from './plain-text.ts';

export const locales = ['en', 'de', 'ar'] as const;
export const locale = z.enum(locales);
export type Locale = z.infer<typeof locale>;

/** An email address in its stored form: trimmed, in lower case. */
export const emailAddress = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** At least 12 characters, no composition rules (ASVS 6.2). */
export const newPassword = z.string().min(12).max(256).refine(isWellFormed, 'has half a sign');
/** A password to check. Old passwords can be shorter than new ones must be. */
export const givenPassword = z.string().max(256).refine(isWellFormed, 'has half a sign');
export const personName = plainName(120);

/** An IANA name such as `Europe/Oslo`. A bare offset is refused, because it has no summer time. */
export const timeZone = z
  .string()
  .max(64)
  .refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), 'is no time zone');

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
