import { describeConsumers, describeOn, describeOutbox } from '@parley/testing';
import { makeKafkaLog } from '@parley/testing/kafka';
import { startKafka } from '@parley/testing/servers';

describeOn('kafka', await startKafka(), (server) => {
  describeConsumers('kafka', () => makeKafkaLog(server));
  describeOutbox('kafka', () => makeKafkaLog(server));
});
