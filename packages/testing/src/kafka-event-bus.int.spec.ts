import { describeEventBus } from './describe-event-bus.ts';
import { makeKafkaLog } from './kafka-harness.ts';
import { describeOn } from './describe-on.ts';
import { startKafka } from './servers/index.ts';

describeOn('kafka', await startKafka(), (server) => {
  describeEventBus('kafka', () => makeKafkaLog(server), {
    survivesRestart: true,
    dropsRepeated: false,
    // Longer than the ten seconds after which a member that is silent has left. The soak has 30 s.
    broker: { server, outageMs: 12_000 },
  });
});
