import { describeEventBus, describeOn } from '@parley/testing';
import { makeKafkaLog } from '@parley/testing/kafka';
import { startKafka } from '@parley/testing/servers';

describeOn('kafka', await startKafka(), (server) => {
  describeEventBus('kafka', () => makeKafkaLog(server), {
    survivesRestart: true,
    // Longer than the ten seconds after which a silent member has left its group. The soak test has 30 s.
    broker: { server, outageMs: 12_000 },
  });
});
