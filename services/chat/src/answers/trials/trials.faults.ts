export const faults = [
  {
    breaks: 'A colleague reads a playground run with sources of the person who asked',
    file: './trials.service.ts',
    find: 'row?.askerId !== principal.userId',
    put: '!row',
  },
];
