export const faults = [
  {
    breaks: 'Publishing resolves before the log has the events',
    file: './topic-log.ts',
    find: 'await this.rows.within(logScope).insertMany(rows)',
    put: 'void this.rows.within(logScope).insertMany(rows)',
  },
  {
    breaks: 'The offset moves before the batch is handled',
    file: './topic-reader.ts',
    find: 'if (await this.deliverUntilTaken(records)) this.advance(last.offset);',
    put: 'this.advance(last.offset); await this.deliverUntilTaken(records);',
  },
];
