import { runDeployable } from '@parley/platform/process';
import { join } from 'node:path';
import { bffProcessConfig } from './bff-process.config.ts';
import { startBff } from './bff.ts';
import { rateTable } from './proxy/rate-limits.ts';

/** Built pages stand beside the BFF, in a checkout as in an image. */
const frontendFolder = join(import.meta.dirname, '../../frontend/dist');

await runDeployable(bffProcessConfig, (config) => ({
  deployable: 'bff',
  start: (platform) =>
    startBff(platform, {
      frontendFolder,
      publicUrl: config.PARLEY_PUBLIC_URL,
      tls: null,
      isInsecureHttp: config.PARLEY_INSECURE_HTTP,
      trustedProxies: config.PARLEY_TRUSTED_PROXY,
      rates: rateTable(config.PARLEY_RATE_LIMITS),
      sentryDsn: config.PARLEY_SENTRY_DSN ?? null,
    }),
}));
