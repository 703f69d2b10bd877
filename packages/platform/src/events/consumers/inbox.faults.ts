export const faults = [
  {
    breaks: 'A redelivered event takes effect twice',
    file: './effect-consumer.ts',
    find: '(event) => ({ _id: this.inboxIdOf(event), ...(this.mayComeAgain(event) ? {} : { at }) })',
    put: '(event, index) => ({ _id: `${this.inboxIdOf(event)}${at.getTime()}${index}`, ...(this.mayComeAgain(event) ? {} : { at }) })',
  },
  {
    breaks: 'The inbox is written outside the transaction of the effect',
    file: './effect-consumer.ts',
    find: '{ session: tx.session, lean: true }',
    put: '{ lean: true }',
  },
  {
    breaks: 'A projection stores its offset outside the transaction',
    file: './projection-consumer.ts',
    find: 'this.keepOffset(stretch, fresh.at(-1)!, tx.session)',
    put: 'this.keepOffset(stretch, fresh.at(-1)!, null as never)',
  },
];
