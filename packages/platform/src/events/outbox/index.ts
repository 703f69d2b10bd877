export * from './outbox.ts';
export { emptyOutbox } from './empty-outbox.ts';
export { writeSnapshots, type RecordSnapshot } from './snapshots.ts';
export * from './outbox-relay.ts';
