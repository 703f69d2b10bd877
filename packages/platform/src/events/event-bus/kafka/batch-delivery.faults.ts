export const faults = [
  {
    breaks: 'A Kafka offset is resolved before its batch is handled',
    find: 'if (!(await this.deliverUntilTaken(slice))) break;',
    put: 'resolveOffset(slice.lastOffset); if (!(await this.deliverUntilTaken(slice))) break;',
  },
];
