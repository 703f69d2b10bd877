import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  counters,
  gaugeLabels,
  gauges,
  Metrics,
  type CounterLabels,
  type CounterName,
  type GaugeLabels,
  type GaugeName,
  type ServedRequest,
} from '../metrics.ts';

type Reader = { readonly labels: GaugeLabels; read(): number | Promise<number> };
const readTimeoutMs = 2_000;
/** Sets the buckets in seconds, from the fastest request to the slowest that anyone waits for. */
const secondBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics for Prometheus: Parley's own, the duration of HTTP requests, and those of Node. */
export class PromMetrics extends Metrics {
  readonly contentType: string;
  private readonly registry = new Registry();
  private readonly readers = new Map<GaugeName, Reader[]>();
  private readonly counts = new Map<CounterName, Counter<keyof CounterLabels>>();
  private readonly requests: Histogram<keyof ServedRequest>;

  constructor() {
    super();
    this.contentType = this.registry.contentType;
    this.requests = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'From the request to the end of its answer.',
      labelNames: ['service', 'method', 'route', 'status'],
      buckets: secondBuckets,
      registers: [this.registry],
    });
    collectDefaultMetrics({ register: this.registry });
    // Removes default gauges whose names end with `_total`, which promtool allows for counters only. For each, another
    // gauge has the same sum by kind.
    for (const kind of ['handles', 'requests', 'resources'])
      this.registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  }

  gauge(name: GaugeName, labels: GaugeLabels, read: Reader['read']): void {
    const known = this.readers.get(name);
    if (known) {
      known.push({ labels, read });
      return;
    }
    const readers = [{ labels, read }];
    this.readers.set(name, readers);
    // Reads the value only when Prometheus asks.
    new Gauge({
      name,
      help: gauges[name],
      labelNames: gaugeLabels,
      registers: [this.registry],
      collect() {
        return refresh(this, readers);
      },
    });
  }

  counter(name: CounterName, labels: CounterLabels): () => void {
    const counter =
      this.counts.get(name) ??
      new Counter({ name, help: counters[name], labelNames: ['service'], registers: [this.registry] });
    this.counts.set(name, counter);
    counter.inc({ ...labels }, 0);
    return () => counter.inc({ ...labels });
  }

  requestServed(request: ServedRequest, seconds: number): void {
    this.requests.observe(request, seconds);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}

async function refresh(gauge: Gauge<keyof GaugeLabels>, readers: readonly Reader[]): Promise<void> {
  const values = await Promise.all(readers.map(({ read }) => inTime(read)));
  gauge.reset();
  for (const [at, value] of values.entries()) if (value !== null) gauge.set({ ...readers[at]?.labels }, value);
}

/** Returns the value; null if reading it fails or takes too long. */
async function inTime(read: Reader['read']): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), readTimeoutMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(read), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
