import { describeEventBus, describeOn } from '@parley/testing';
import { makeKafkaLog } from '@parley/testing/kafka';
import { startKafka } from '@parley/testing/servers';

describeOn('kafka', await startKafka(), (server) => {
  describeEventBus('kafka', () => makeKafkaLog(server), {
    survivesRestart: true,
    // Lasts as long as a request waits for its response.
    broker: { server, outageMs: 30_000 },
  });
});
