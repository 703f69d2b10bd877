import { mailRule } from '@parley/platform/mailer';
import { processConfig, publicUrl, sealingKey } from '@parley/platform/process-config';
import { z } from 'zod';
import { authConfig } from './auth.config.ts';

/** What a process of auth reads. */
export const authProcessConfig = z
  .object({ ...processConfig.shape, ...authConfig.shape, PARLEY_PUBLIC_URL: publicUrl, PARLEY_SEALING_KEY: sealingKey })
  .refine(...mailRule);
