export { connectAdmin, kafkaClientOf, type KafkaConnection } from './kafka-client.ts';
export * from './kafka-event-bus.ts';
export * from './topics.ts';
