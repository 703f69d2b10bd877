export const faults = [
  {
    breaks: 'A stop request makes an attempt without a lease count',
    find: 'this.interruption ??= interruption',
    put: 'this.interruption = interruption',
  },
];
