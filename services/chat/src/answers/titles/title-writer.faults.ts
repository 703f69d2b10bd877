export const faults = [
  {
    breaks: 'Titles are written while answers wait',
    file: './title-writer.ts',
    find: 'await untilIdle({ mostMs: waitsMs, signal: this.ending.signal })',
    put: 'await Promise.resolve()',
  },
];
