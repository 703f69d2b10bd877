import { NoMailer, openMailer } from '@parley/platform/mailer';
import { runDeployable } from '@parley/platform/process';
import { authProcessConfig } from './auth-process.config.ts';
import { startAuth } from './service.ts';

await runDeployable(authProcessConfig, (config) => ({
  deployable: 'auth',
  sealingKey: config.PARLEY_SEALING_KEY,
  openMailer: () => openMailer(config, () => new NoMailer()),
  // The first platform admin is made by `parley admin create`.
  start: (platform) =>
    startAuth(
      platform,
      {
        registration: config.PARLEY_REGISTRATION,
        registrationsPerHour: config.PARLEY_REGISTRATIONS_PER_HOUR,
        setupToken: null,
      },
      { url: async () => config.PARLEY_PUBLIC_URL.replace(/\/$/, '') },
    ),
}));
