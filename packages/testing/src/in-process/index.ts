// One service in this process, outside of Jest too.
export { makeEmbeddedEventLog } from '../bus-harness.ts';
export * from '../owner-bench.ts';
export * from '../test-store.ts';
