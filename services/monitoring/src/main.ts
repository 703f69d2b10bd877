import { runDeployable } from '@parley/platform/process';
import { monitoringProcessConfig } from './monitoring-process.config.ts';
import { monitoringSettings, startMonitoring } from './service.ts';

await runDeployable(monitoringProcessConfig, (config) => ({
  deployable: 'monitoring',
  sealingKey: config.PARLEY_SEALING_KEY,
  start: (platform) => startMonitoring(platform, monitoringSettings(config)),
}));
