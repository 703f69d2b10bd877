import { afterAll, describe, test } from '@jest/globals';
import { describeEventBus } from './describe-event-bus.ts';
import { makeKafkaLog } from './kafka-harness.ts';
import { startKafka } from './servers/kafka.ts';

const kafka = await startKafka();

if ('skipped' in kafka) {
  describe.skip(`event bus: kafka (skipped: ${kafka.skipped})`, () => { test.todo(kafka.skipped); });
} else {
  afterAll(() => kafka.close());
  describeEventBus('kafka', () => makeKafkaLog(kafka), { survivesRestart: true, dropsRepeated: false, broker: kafka });
}
