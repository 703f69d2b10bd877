export * from './durability.ts';
export * from './kafka-event-bus.ts';
export * from './topics.ts';
export { connectAdmin, kafkaClientOf, type KafkaCluster, type KafkaConnection } from './kafka-client.ts';
