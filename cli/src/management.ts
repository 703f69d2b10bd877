import { Health, startManagement, type RunningManagement } from '@parley/platform/telemetry';
import { PromMetrics } from '@parley/platform/telemetry/prometheus';

/** Probes and metrics of the one-process edition, on a port of their own. */
export type Management = { readonly metrics: PromMetrics; readonly health: Health; readonly server: RunningManagement };

export async function openManagement(listen: { host: string; port: number }): Promise<Management> {
  const metrics = new PromMetrics();
  const health = new Health();
  return { metrics, health, server: await startManagement({ listen, health, metrics }) };
}
