export const faults = [
  {
    breaks: 'A worker that has lost its job overwrites how far an organisation is',
    file: './embedding-step.ts',
    find: 'await run.hold(tx);',
    put: '',
  },
  {
    breaks: 'A passage that comes while all others have their vectors waits for the next one',
    file: '../retrieval/keyword-index.ts',
    find: 'tx.queue(embedPassages, { orgId: scope.orgId });',
    put: '',
  },
];
