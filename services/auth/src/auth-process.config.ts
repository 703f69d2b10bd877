import { processConfig } from '@parley/platform/process-config';
import { z } from 'zod';
import { authConfig } from './auth.config.ts';

/** What a process of auth reads. */
export const authProcessConfig = z.object({ ...processConfig.shape, ...authConfig.shape });
