// Runs a member of the group `listener` in its own process, to be killed: `node kafka-member.spec-setup.ts <broker>
// <prefix>` prints each event as a line.
import { topics } from '@parley/contracts';
import { KafkaEventBus } from './index.ts';
import { createLogger } from '../../../base/logging/index.ts';

const [broker = '', prefix = ''] = process.argv.slice(2);
const bus = await KafkaEventBus.open({
  brokers: [broker],
  clientId: 'member',
  logger: createLogger({ name: 'member', level: 'silent' }),
  prefix,
  onCrash: () => process.exit(1),
});
await bus.subscribe({
  group: 'listener',
  kind: 'work',
  topics: [topics.org],
  batchSize: 10,
  deliver: async (batch) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const { event } of batch.events) process.stdout.write(`${JSON.stringify(event)}\n`);
  },
});
process.stdout.write('joined\n');
