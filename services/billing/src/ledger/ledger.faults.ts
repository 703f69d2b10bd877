export const faults = [
  {
    breaks: 'An attempt without a price costs nothing',
    file: './ledger.service.ts',
    find: 'costMicros: null',
    put: 'costMicros: 0',
  },
  {
    breaks: 'A ledger entry is never published',
    file: './ledger.service.ts',
    find: 'tx.record(ledgerEntryAdded, entryTold(entry), { sequence: 1 });',
    put: '',
  },
  {
    breaks: "Usage of other people counts as one's own",
    file: './ledger.service.ts',
    find: '{ userId: principal.userId, at: { $gte: from, $lt: to } }',
    put: '{ at: { $gte: from, $lt: to } }',
  },
];
