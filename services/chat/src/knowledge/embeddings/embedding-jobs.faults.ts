export const faults = [
  {
    breaks: 'A worker that has lost its job overwrites how far an organisation is',
    file: './embedding-step.ts',
    find: 'await run.hold(tx);',
    put: '',
  },
];
