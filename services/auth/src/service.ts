import { Problem, register, type Locale } from '@parley/contracts';
import { randomSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { RevocationLog } from '@parley/platform/revocations';
import { startOwner, withOwner, type OwnerParts, type Platform, type RunningService } from '@parley/platform/service';
import { AuthSettings } from './auth.config.ts';
import { profileFeature } from './profile/index.ts';
import { registrationFeature, RegistrationService } from './registration/index.ts';
import { sessionsFeature, signInFeature } from './sessions/index.ts';

export { authConfig, type AuthSettings } from './auth.config.ts';

/** People, their credentials and sessions. */
export const authParts = (settings: AuthSettings): OwnerParts => ({
  modules: [registrationFeature, sessionsFeature, signInFeature, profileFeature],
  providers: (mongo) => [
    { provide: AuthSettings, useValue: settings },
    { provide: RevocationLog, useValue: new RevocationLog(mongo) },
  ],
  group: null,
});

/** Starts auth. */
export async function startAuth(platform: Platform, settings: AuthSettings): Promise<RunningService> {
  return startOwner(platform, authParts(settings));
}

export type NewPlatformAdmin = {
  readonly email: string;
  readonly name: string;
  readonly locale: Locale;
  readonly password: string;
};

/**
 * Makes the first platform admin, for the operator's command line: the same registration as by the setup link, without
 * a link that could be read on its way. Throws when there is one already or the input is refused.
 */
export async function createPlatformAdmin(platform: Platform, person: NewPlatformAdmin): Promise<void> {
  const setupToken = randomSecret();
  const input = register.body!.safeParse({ id: newId('user'), ...person, setupToken });
  if (!input.success)
    throw new Problem('platform.invalid-request', {
      errors: input.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    });
  await withOwner(platform, authParts({ registration: 'closed', setupToken }), async (owner) => {
    const registration = owner.get(RegistrationService);
    if (!(await registration.info()).setupPending)
      throw new Error('There is a platform admin already: sign in as one.');
    await registration.makeAccount(input.data);
  });
}
