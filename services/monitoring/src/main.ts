import { processConfig, runDeployable } from '@parley/platform/process';
import { startMonitoring } from './service.ts';

await runDeployable(processConfig, () => ({ deployable: 'monitoring', start: startMonitoring }));
