import { runDeployable } from '@parley/platform/process';
import { orgProcessConfig } from './org-process.config.ts';
import { orgSettings, startOrg } from './service.ts';

await runDeployable(orgProcessConfig, (config) => ({
  deployable: 'org',
  start: (platform) => startOrg(platform, orgSettings(config)),
}));
