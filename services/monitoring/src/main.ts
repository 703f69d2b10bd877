import { processConfigOf, runDeployable } from '@parley/platform/process';
import { startMonitoring } from './service.ts';

await runDeployable(processConfigOf('monitoring'), () => ({ deployable: 'monitoring', start: startMonitoring }));
