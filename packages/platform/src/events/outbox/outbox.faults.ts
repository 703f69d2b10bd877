export const faults = [
  {
    breaks: 'Sequences are counted outside the transaction',
    within: 'raise',
    find: 'this.sequences.within(scope, { session })',
    put: 'this.sequences.within(scope)',
  },
  {
    breaks: 'Rows are marked as published before the bus has them',
    file: './outbox-relay.ts',
    find: 'await this.options.bus.publish(topic, rows.map((row) => JSON.parse(row.envelope) as EventEnvelope));',
    put: 'void this.options.bus.publish(topic, rows.map((row) => JSON.parse(row.envelope) as EventEnvelope));',
  },
  {
    breaks: 'The relay publishes in reverse order',
    file: './outbox-relay.ts',
    find: '{ published: 1, subject: 1, sequence: 1 }',
    put: '{ published: 1, subject: 1, sequence: -1 }',
  },
];
