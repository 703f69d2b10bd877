import { authProcessConfig } from '@parley/auth/process-config';
import { bffProcessConfig } from '@parley/bff/process-config';
import { chatProcessConfig } from '@parley/chat/process-config';
import type { Deployable } from '@parley/contracts';
import { monitoringProcessConfig } from '@parley/monitoring/process-config';
import { orgProcessConfig } from '@parley/org/process-config';
import { keyFault, processConfig, type ProcessConfig } from '@parley/platform/process-config';
import type { z } from 'zod';

/** What each deployable reads. */
export const deployableConfigs = {
  bff: bffProcessConfig,
  auth: authProcessConfig,
  org: orgProcessConfig,
  chat: chatProcessConfig,
  billing: processConfig,
  monitoring: monitoringProcessConfig,
} satisfies Record<Deployable, z.ZodType<ProcessConfig>>;

/** What is wrong with the keys in valid settings of a deployable, or null. */
export function keyFaultOf(config: unknown, deployable: string): string | null {
  return keyFault(config as ProcessConfig, deployable as Deployable);
}
