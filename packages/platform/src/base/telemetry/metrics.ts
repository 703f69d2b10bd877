/** Every gauge of ours and what it says. Labels are bounded: never a tenant, a person or a conversation. */
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
/** Every counter of ours and what it counts, with labels as bounded as those of gauges. */
export const counters = {
  parley_generation_interrupted_total: 'Answers that ended as interrupted, with the text that was written.',
  parley_generation_taken_over_total: 'Answers that a worker took over because their worker gave no sign of life.',
} as const;
export type CounterName = keyof typeof counters;
/** What a gauge can be told apart by: `group` is the consumer group, `kind` and `state` are those of jobs. */
export const gaugeLabels = ['service', 'group', 'kind', 'state'] as const;
type GaugeLabel = (typeof gaugeLabels)[number];
export type GaugeLabels = { readonly service: string } & { readonly [Label in GaugeLabel]?: string };
export type CounterLabels = Pick<GaugeLabels, 'service'>;
/** `route` is the contract's path with its parameters unfilled, never what somebody typed. */
export type ServedRequest = {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
};

/** Where the parts of a process say what can be measured of them. */
export abstract class Metrics {
  /** `read` is asked when somebody looks; while it fails or takes longer than two seconds, the gauge is left out. */
  abstract gauge(name: GaugeName, labels: GaugeLabels, read: () => number | Promise<number>): void;
  /** Returns what adds 1. From the call on the series exists, at 0: an alert needs to see it rise. */
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
