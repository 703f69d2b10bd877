export * from './outbox.ts';
export * from './outbox-relay.ts';
