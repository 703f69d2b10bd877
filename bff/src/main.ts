import { runDeployable } from '@parley/platform/process';
import { join } from 'node:path';
import { bffProcessConfig } from './bff-process.config.ts';
import { startBff } from './bff.ts';

/** Built pages stand beside the BFF, in a checkout as in an image. */
const frontendFolder = join(import.meta.dirname, '../../frontend/dist');

await runDeployable(bffProcessConfig, (config) => ({
  deployable: 'bff',
  start: (platform) =>
    startBff(platform, {
      upstreams: {
        auth: config.PARLEY_AUTH_URL,
        org: config.PARLEY_ORG_URL,
        chat: config.PARLEY_CHAT_URL,
        billing: config.PARLEY_BILLING_URL,
        monitoring: config.PARLEY_MONITORING_URL,
      },
      frontendFolder,
      publicUrl: config.PARLEY_PUBLIC_URL,
      tls: null,
      isInsecureHttp: config.PARLEY_INSECURE_HTTP,
      trustedProxies: config.PARLEY_TRUSTED_PROXY,
    }),
}));
