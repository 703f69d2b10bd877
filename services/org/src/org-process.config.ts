import { processConfig } from '@parley/platform/process-config';
import { z } from 'zod';
import { orgConfig } from './org.config.ts';

/** What a process of org reads. */
export const orgProcessConfig = z.object({ ...processConfig.shape, ...orgConfig.shape });
