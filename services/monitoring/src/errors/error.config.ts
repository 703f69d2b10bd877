import { z } from 'zod';

/** What the errors of an installation are seen with. */
export const errorConfig = z.object({
  PARLEY_ERROR_TEST: z
    .stringbool()
    .default(false)
    .describe('Lets everybody who is signed in use the page of error tests, not platform admins only.'),
});

/** Settings of the collector and of the error test page. */
export abstract class ErrorSettings {
  /** Not only platform admins. */
  abstract readonly mayEverybodyTest: boolean;
  /** Reports go to Sentry, or the like, and not to the collector. */
  abstract readonly hasDsn: boolean;
}

export function errorSettings(
  config: z.infer<typeof errorConfig> & { readonly PARLEY_SENTRY_DSN?: string | undefined },
): ErrorSettings {
  return { mayEverybodyTest: config.PARLEY_ERROR_TEST, hasDsn: config.PARLEY_SENTRY_DSN !== undefined };
}
