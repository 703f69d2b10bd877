import { runDeployable } from '@parley/platform/process';
import { monitoringProcessConfig } from './monitoring-process.config.ts';
import { errorSettings, startMonitoring } from './service.ts';

await runDeployable(monitoringProcessConfig, (config) => ({
  deployable: 'monitoring',
  start: (platform) => startMonitoring(platform, errorSettings(config)),
}));
