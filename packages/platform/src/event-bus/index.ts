export * from './consumers/consumer-handlers.ts';
export * from './consumers/consumer-runtime.ts';
export { causeOf } from './consumers/consumer-store.ts';
export * from './consumers/dead-letters.ts';
export * from './embedded/embedded-event-bus.ts';
export * from './event-bus.ts';
export * from './nest/event-context.ts';
export * from './nest/event-strategy.ts';
export * from './recent-events.ts';
