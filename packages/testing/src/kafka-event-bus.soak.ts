import { describeEventBus } from './describe-event-bus.ts';
import { makeKafkaLog } from './kafka-harness.ts';
import { describeOn } from './describe-on.ts';
import { startKafka } from './servers/index.ts';

describeOn('kafka', await startKafka(), (server) => {
  describeEventBus('kafka', () => makeKafkaLog(server), {
    survivesRestart: true,
    dropsRepeated: false,
    // As long as a request waits for its answer.
    broker: { server, outageMs: 30_000 },
  });
});
