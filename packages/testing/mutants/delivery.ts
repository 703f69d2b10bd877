import type { Mutant } from './mutant.ts';

const outbox = 'packages/platform/src/outbox';

export const deliveryMutants: readonly Mutant[] = [
  {
    breaks: 'events are written beside their transaction',
    file: `${outbox}/outbox.ts`,
    find: 'insertMany(rows, { session })',
    put: 'insertMany(rows)',
    spec: 'testing/src/unit-of-work.spec',
  },
  {
    breaks: 'sequences are counted beside the transaction',
    file: `${outbox}/outbox.ts`,
    find: "returnDocument: 'after', session }",
    put: "returnDocument: 'after' }",
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'a given sequence is counted anew',
    file: `${outbox}/outbox.ts`,
    find: 'event.sequence ?? next(subjectOf(event))',
    put: 'next(subjectOf(event))',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'what an aborted try has recorded is published',
    file: 'packages/platform/src/work/recording-transaction.ts',
    find: 'const tx = new RecordingTransaction(session, origin);',
    put: 'const tx = (kept ??= new RecordingTransaction(session, origin));',
    spec: 'testing/src/unit-of-work.spec',
  },
  {
    breaks: 'a commit wakes nobody',
    file: 'packages/platform/src/work/recording-transaction.ts',
    find: 'if (hasEvents) outbox.wake();',
    put: '',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'data that fits no definition is recorded',
    file: 'packages/platform/src/work/recording-transaction.ts',
    find: "definition.data.parse(data) as Recorded['data']",
    put: "data as Recorded['data']",
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'rows are marked as published before they are',
    file: `${outbox}/outbox-relay.ts`,
    find: 'await this.options.bus.publish(',
    put: 'void this.options.bus.publish(',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'the relay publishes in no order',
    file: `${outbox}/outbox-relay.ts`,
    find: '.sort({ published: 1, subject: 1, sequence: 1 })',
    put: '.sort({ published: 1, subject: 1, sequence: -1 })',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'a relay publishes shards that are not its own',
    file: `${outbox}/outbox-relay.ts`,
    find: 'shards.size === shardCount ?',
    put: 'shards.size >= 0 ?',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'what was recorded during a walk waits for the next ring',
    file: `${outbox}/outbox-relay.ts`,
    find: `    while (this.isWoken) {
      this.isWoken = false;`,
    put: '    for (let once = true; once; once = false) {',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'closing leaves what is recorded',
    file: `${outbox}/outbox-relay.ts`,
    find: `await this.inHand;
    await this.leases`,
    put: 'await this.leases',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'two relays take the same shard',
    file: `${outbox}/shard-leases.ts`,
    find: '{ _id: id, leaseUntil: { $lte: now } }',
    put: '{ _id: id }',
    spec: 'testing/src/outbox.spec',
    survives: 'only two claims at the very same moment meet; what both publish then comes twice, which consumers bear',
  },
  {
    breaks: 'a relay keeps more than its share',
    file: `${outbox}/shard-leases.ts`,
    find: 'Math.ceil(shardCount / relays)',
    put: 'shardCount',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'a relay that ends keeps its leases',
    file: `${outbox}/shard-leases.ts`,
    find: 'await this.rows.updateMany({ owner: this.owner }, { $set: { leaseUntil: new Date(0) } });',
    put: '',
    spec: 'testing/src/outbox.spec',
  },
  {
    breaks: 'a gap in the sequence is none',
    file: `${outbox}/sequence-check.ts`,
    find: 'last === undefined || sequence === last + 1',
    put: 'last === undefined || sequence > last',
    spec: 'platform/src/outbox/sequence-check.spec',
  },
  {
    breaks: 'what another relay has published is a gap',
    file: `${outbox}/outbox-relay.ts`,
    find: 'this.sequences.forget(shard)',
    put: 'undefined',
    spec: 'testing/src/outbox-gaps.spec',
  },
];
