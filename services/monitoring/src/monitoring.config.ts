import { outboundAllow } from '@parley/platform/outbound';
import { z } from 'zod';
import { errorConfig, errorSettings, type ErrorSettings } from './errors/index.ts';

/** What monitoring reads from its surroundings. */
export const monitoringConfig = z.object({ ...errorConfig.shape, PARLEY_OUTBOUND_ALLOW: outboundAllow });

/** Settings of a running monitoring service. */
export abstract class MonitoringSettings implements ErrorSettings {
  abstract readonly mayEverybodyTest: boolean;
  abstract readonly hasDsn: boolean;
  /** Non-public addresses that webhooks may have, also without TLS. */
  abstract readonly outboundAllow: readonly string[];
}

export function monitoringSettings(
  config: z.infer<typeof monitoringConfig> & { readonly PARLEY_SENTRY_DSN?: string | undefined },
): MonitoringSettings {
  const { mayEverybodyTest, hasDsn } = errorSettings(config);
  return { mayEverybodyTest, hasDsn, outboundAllow: config.PARLEY_OUTBOUND_ALLOW };
}
