import { afterAll, describe, test } from '@jest/globals';
import { describeConsumers } from './describe-consumers.ts';
import { describeOutbox } from './describe-outbox.ts';
import { makeKafkaLog } from './kafka-harness.ts';
import { startKafka } from './servers/kafka.ts';

const kafka = await startKafka();

if ('skipped' in kafka) {
  describe.skip(`consumers and outbox: kafka (skipped: ${kafka.skipped})`, () => { test.todo(kafka.skipped); });
} else {
  afterAll(() => kafka.close());
  describeConsumers('kafka', () => makeKafkaLog(kafka));
  describeOutbox('kafka', () => makeKafkaLog(kafka));
}
