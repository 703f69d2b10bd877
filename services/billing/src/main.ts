import { processConfig, runDeployable } from '@parley/platform/process';
import { startBilling } from './service.ts';

await runDeployable(processConfig, () => ({ deployable: 'billing', start: startBilling }));
