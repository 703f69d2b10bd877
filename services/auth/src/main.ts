import { runDeployable } from '@parley/platform/process';
import { authProcessConfig } from './auth-process.config.ts';
import { startAuth } from './service.ts';

await runDeployable(authProcessConfig, (config) => ({
  deployable: 'auth',
  // The first platform admin is made by `parley admin create`.
  start: (platform) => startAuth(platform, { registration: config.PARLEY_REGISTRATION, setupToken: null }),
}));
