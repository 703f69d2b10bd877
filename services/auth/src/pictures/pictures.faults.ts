export const faults = [
  {
    breaks: 'People choose the uploaded picture of someone else',
    file: './pictures.service.ts',
    within: 'choose',
    find: 'this.pictures.within(scope, tx)',
    put: 'this.pictures.within(everybodys, tx)',
  },
];
