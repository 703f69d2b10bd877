export * from './outbox.ts';
export { writeSnapshots, type RecordSnapshot } from './snapshots.ts';
export * from './outbox-relay.ts';
