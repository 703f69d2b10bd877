export const faults = [
  {
    breaks: 'Readers pass over events of a transaction that is open',
    file: './topic-log.ts',
    find: "each.outcome !== 'committed' && each.outcome !== 'aborted'",
    put: "each.outcome === 'unknown'",
  },
  {
    breaks: 'The offset moves before the batch is handled',
    file: './topic-reader.ts',
    find: 'if (await this.deliverUntilTaken(records)) this.advance(last.offset);',
    put: 'this.advance(last.offset); await this.deliverUntilTaken(records);',
  },
];
