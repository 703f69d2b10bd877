import { z } from 'zod';
import { isWellFormed, plainName } from './plain-text.ts';

export const locales = ['en', 'de', 'ar'] as const;
export const locale = z.enum(locales);
export type Locale = z.infer<typeof locale>;

/** An address as it is kept: without blanks around it, in small letters. */
export const emailAddress = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** At least 12 characters, no composition rules (ASVS 6.2). */
export const newPassword = z.string().min(12).max(256).refine(isWellFormed, 'has half a sign');
/** One that may be right: older ones may be shorter. */
export const givenPassword = z.string().max(256).refine(isWellFormed, 'has half a sign');
export const personName = plainName(120);

/** An IANA name such as `Europe/Oslo`; a bare offset is none, for it knows no summer. */
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
