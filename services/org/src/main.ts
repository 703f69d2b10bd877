import { processConfigOf, runDeployable } from '@parley/platform/process';
import { startOrg } from './service.ts';

await runDeployable(processConfigOf('org'), () => ({ deployable: 'org', start: startOrg }));
