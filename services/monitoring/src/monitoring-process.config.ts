import { processConfig, sealingKey } from '@parley/platform/process-config';
import { z } from 'zod';
import { monitoringConfig } from './monitoring.config.ts';

/** What a process of monitoring reads. */
export const monitoringProcessConfig = z.object({
  ...processConfig.shape,
  ...monitoringConfig.shape,
  PARLEY_SEALING_KEY: sealingKey,
});
