import { RevocationLog } from '@parley/platform/revocations';
import { startOwner, type Platform, type RunningService } from '@parley/platform/service';
import { AuthSettings } from './auth.config.ts';
import { ProfileModule } from './profile/index.ts';
import { RegistrationModule } from './registration/index.ts';
import { SessionsModule } from './sessions/index.ts';

export { authConfig, type AuthSettings } from './auth.config.ts';

/** Starts auth: people, their credentials and sessions. */
export async function startAuth(platform: Platform, settings: AuthSettings): Promise<RunningService> {
  return startOwner({
    platform,
    modules: [RegistrationModule, SessionsModule, ProfileModule],
    providers: (mongo) => [{ provide: AuthSettings, useValue: settings }, { provide: RevocationLog, useValue: new RevocationLog(mongo) }],
    group: null,
  });
}
