import { processConfig } from '@parley/platform/process-config';
import { z } from 'zod';
import { errorConfig } from './errors/error.config.ts';

/** What a process of monitoring reads. */
export const monitoringProcessConfig = z.object({ ...processConfig.shape, ...errorConfig.shape });
