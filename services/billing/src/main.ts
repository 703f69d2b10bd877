import { processConfigOf, runDeployable } from '@parley/platform/process';
import { startBilling } from './service.ts';

await runDeployable(processConfigOf('billing'), () => ({ deployable: 'billing', start: startBilling }));
