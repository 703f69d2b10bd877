import { describeConsumers } from './describe-consumers.ts';
import { describeOutbox } from './describe-outbox.ts';
import { makeKafkaLog } from './kafka-harness.ts';
import { describeOn } from './describe-on.ts';
import { startKafka } from './servers/index.ts';

describeOn('kafka', await startKafka(), (server) => {
  describeConsumers('kafka', () => makeKafkaLog(server));
  describeOutbox('kafka', () => makeKafkaLog(server));
});
