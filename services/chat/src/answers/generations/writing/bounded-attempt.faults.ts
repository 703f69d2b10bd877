export const faults = [
  {
    breaks: 'An answer under a hard limit asks the model before its budget is held',
    file: './answer-attempt.ts',
    find: 'isBounded ? await this.budget.take(wanted) : wanted',
    put: 'wanted',
  },
];
