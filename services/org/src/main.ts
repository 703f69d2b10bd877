import { processConfig, runDeployable } from '@parley/platform/process';
import { startOrg } from './service.ts';

await runDeployable(processConfig, () => ({ deployable: 'org', start: startOrg }));
