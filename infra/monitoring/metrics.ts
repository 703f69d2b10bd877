import { counters, gauges, type CounterName, type GaugeName } from '@parley/platform/telemetry';
import { PromMetrics } from '@parley/platform/telemetry/prometheus';

/** What `/metrics` says where every gauge and counter there is has a value. */
export async function allMetrics(): Promise<string> {
  const metrics = new PromMetrics();
  for (const name of Object.keys(gauges) as GaugeName[])
    metrics.gauge(name, { service: 'chat', group: 'chat' }, () => 1);
  for (const name of Object.keys(counters) as CounterName[]) metrics.counter(name, { service: 'chat' })();
  metrics.requestServed({ service: 'bff', method: 'GET', route: '/v1/events', status: 200 }, 0.1);
  return metrics.text();
}
