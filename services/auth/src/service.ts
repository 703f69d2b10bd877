import { authLimitChanged, failInAuth, listAuthLimits, setAuthLimit, register, type Locale } from '@parley/contracts';
import { randomSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog, revocationsBell } from '@parley/platform/revocations';
import { FlowsModule } from '@parley/platform/fair-turns';
import {
  errorTests,
  organisationLimits,
  startOwner,
  withOwner,
  type OwnerParts,
  Platform,
  type RunningService,
} from '@parley/platform/service';
import { joinInboxRows } from '@parley/platform/event-bus';
import { flowCopies, quotaCounters, renames } from '@parley/platform/schema';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { AuthSettings, PublicAddress } from './auth.config.ts';
import { addressProofsFeature } from './address-proofs/index.ts';
import { apiKeysFeature, ownApiKeysFeature } from './api-keys/index.ts';
import { invitationMailsFeature, mailsFeature, mailsToJobs, nameInvitations, unverifyRevealed } from './mails/index.ts';
import { picturesFeature } from './pictures/index.ts';
import { profileFeature } from './profile/index.ts';
import { recoveryFeature, ResetLinks } from './recovery/index.ts';
import { registrationFeature, RegistrationService } from './registration/index.ts';
import { securityLogFeature } from './security-log/index.ts';
import {
  confirmationFeature,
  longerKeptSessions,
  ownSessionsFeature,
  sessionsFeature,
  signInFeature,
} from './sessions/index.ts';
import { UsersRepository } from './users/index.ts';

export { authConfig, type AuthSettings, type PublicAddress } from './auth.config.ts';

const printing = jobScope("an operator's command prints a link");

/** An operator's command sends no mails. */
const nowhere: PublicAddress = { url: () => Promise.reject(new Error('Nobody knows the address here.')) };

/** People, their credentials and sessions, and what is mailed. */
export const authParts = (settings: AuthSettings, address: PublicAddress = nowhere): OwnerParts => ({
  modules: [
    registrationFeature,
    sessionsFeature,
    signInFeature,
    securityLogFeature,
    ownSessionsFeature,
    confirmationFeature,
    apiKeysFeature,
    ownApiKeysFeature,
    picturesFeature,
    profileFeature,
    mailsFeature,
    invitationMailsFeature,
    recoveryFeature,
    addressProofsFeature,
    FlowsModule,
    errorTests(failInAuth),
    organisationLimits({ list: listAuthLimits, set: setAuthLimit, changed: authLimitChanged }),
  ],
  providers: (mongo) => [
    { provide: AuthSettings, useValue: settings },
    { provide: PublicAddress, useValue: address },
    {
      provide: RevocationLog,
      useFactory: ({ doorbell }: Platform) => new RevocationLog(mongo, () => doorbell.ring(revocationsBell('auth'))),
      inject: [Platform],
    },
  ],
  group: 'auth',
  dataMigrations: [
    renames('flows-and-quotas', [flowCopies, quotaCounters]),
    longerKeptSessions,
    nameInvitations,
    unverifyRevealed,
    ...mailsToJobs,
    joinInboxRows,
  ],
});

/** Starts auth. */
export async function startAuth(
  platform: Platform,
  settings: AuthSettings,
  address: PublicAddress,
): Promise<RunningService> {
  return startOwner(platform, authParts(settings, address));
}

/**
 * A link by which the person with this address can set a new password, for the operator's command line: what would be
 * mailed, where nothing can be. Throws when there is no such account.
 */
export async function makeResetLink(
  platform: Platform,
  email: string,
): Promise<{ token: string; locale: Locale; endsAt: Date }> {
  return withOwner(
    platform,
    authParts({ registration: 'closed', registrationsPerHour: 20, setupToken: null }),
    async (owner) => {
      const [users, links] = [owner.get(UsersRepository), owner.get(ResetLinks)];
      const user = await users.findByEmail(printing, email.trim().toLowerCase());
      if (!user) throw new Error(`There is no account with the address ${email}.`);
      const endsAt = links.endOfNew();
      const token = await owner
        .get(Work)
        .run(job('prints a link', { onBehalfOf: user.id }), (tx) =>
          links.make(tx, printing.of(user.id), { mailId: null, endsAt }),
        );
      return { token, locale: user.locale, endsAt };
    },
  );
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
  await withOwner(
    platform,
    authParts({ registration: 'closed', registrationsPerHour: 20, setupToken }),
    async (owner) => {
      const registration = owner.get(RegistrationService);
      if (!(await registration.info()).setupPending)
        throw new Error('There is a platform admin already: sign in as one.');
      await registration.makeAccount(input.data);
    },
  );
}
