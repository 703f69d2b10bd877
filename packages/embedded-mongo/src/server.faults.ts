export const faults = [
  {
    breaks: 'Two transactions change the same document',
    file: './storage/transaction.ts',
    find: 'if (owner !== undefined) throw writeConflict();',
    put: '',
  },
  {
    breaks: 'A retried write is applied twice',
    file: './engine/dispatcher.ts',
    find: 'if (kept?.txnNumber === txnNumber) return kept.reply;',
    put: '',
  },
];
