/** Describes every gauge. Labels are bounded: never a tenant, a person or a conversation. */
export const gauges = {
  parley_generation_queued: 'Questions that wait for a worker, over all processes.',
  parley_generation_active: 'Answers that this process is writing.',
  parley_outbox_pending: 'Recorded events that are not published yet.',
  parley_outbox_oldest_age_seconds: 'Age of the oldest recorded event that is not published yet.',
  parley_jobs: 'Jobs of a kind that are ready, running or parked, over all processes; counted up to 10,000.',
  parley_mails_waiting: 'Mails that are not out yet.',
  parley_event_readers: 'Programs that follow an event stream by this process.',
  parley_socket_open: 'Open sockets of this process.',
  parley_dead_letters: 'Events that a consumer of this service could not handle: parley letters.',
  parley_parked_keys: 'Keys of this service whose events wait, for a retry or behind a dead letter.',
  parley_store_longest_hold_seconds:
    'CPU time for which one command has held the embedded store, at most, since the start.',
  parley_kafka_consumer_lag: 'Events that this consumer group has not dealt with, over all partitions.',
} as const;
export type GaugeName = keyof typeof gauges;
/** Describes every counter. Labels are as bounded as those of gauges. */
export const counters = {
  parley_generation_interrupted_total: 'Answers that ended as interrupted, with the text that was written.',
  parley_generation_taken_over_total: 'Answers that a worker took over because their worker gave no sign of life.',
} as const;
export type CounterName = keyof typeof counters;
/** The labels of gauges: `group` is the consumer group, `kind` and `state` are those of jobs. */
export const gaugeLabels = ['service', 'group', 'kind', 'state'] as const;
type GaugeLabel = (typeof gaugeLabels)[number];
export type GaugeLabels = { readonly service: string } & { readonly [Label in GaugeLabel]?: string };
export type CounterLabels = Pick<GaugeLabels, 'service'>;
/** `route` is the path of the contract with parameters unfilled, never what someone typed. */
export type ServedRequest = {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
};

/** Registers the measurements of the parts of a process. */
export abstract class Metrics {
  /** Calls `read` on each scrape. If it fails or takes more than two seconds, the gauge is left out. */
  abstract gauge(name: GaugeName, labels: GaugeLabels, read: () => number | Promise<number>): void;
  /**
   * Returns a function that adds 1. The series exists from this call on, at 0, because an alert needs to see it rise.
   */
  abstract counter(name: CounterName, labels: CounterLabels): () => void;
  abstract requestServed(request: ServedRequest, seconds: number): void;
}

/** Nobody looks. */
export class NoMetrics extends Metrics {
  gauge(): void {}
  counter(): () => void {
    return () => undefined;
  }
  requestServed(): void {}
}
