import { outboundAllow } from '@parley/platform/outbound';
import { z } from 'zod';

/** What monitoring reads from its surroundings. */
export const monitoringConfig = z.object({ PARLEY_OUTBOUND_ALLOW: outboundAllow });

/** Settings of a running monitoring service. */
export abstract class MonitoringSettings {
  /** Non-public addresses that webhooks may have, also without TLS. */
  abstract readonly outboundAllow: readonly string[];
}

export const monitoringSettings = (config: z.infer<typeof monitoringConfig>): MonitoringSettings => ({
  outboundAllow: config.PARLEY_OUTBOUND_ALLOW,
});
