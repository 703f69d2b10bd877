export const faults = [
  {
    breaks: 'Two workers claim the same answer',
    file: '../rows/generations.repository.ts',
    find: '{ _id, status, epoch }',
    put: '{ _id }',
  },
  {
    breaks: 'A checkpoint is written after the lease is lost',
    file: '../rows/generations.repository.ts',
    find: "{ _id: id, status: 'running', epoch }",
    put: "{ _id: id, status: 'running' }",
  },
  {
    breaks: 'An answer is finished without its lease',
    file: '../rows/generations.repository.ts',
    find: '{ _id: held._id, epoch: held.epoch, status: { $in: unfinished } }',
    put: '{ _id: held._id, status: { $in: unfinished } }',
  },
  {
    breaks: 'An answer is finished twice',
    file: '../rows/generations.repository.ts',
    find: '{ _id: held._id, epoch: held.epoch, status: { $in: unfinished } }',
    put: '{ _id: held._id, epoch: held.epoch }',
  },
  {
    breaks: "The end of an answer doesn't reach its message",
    file: '../../../conversations/messages.repository.ts',
    find: 'this.rows.within(scope, tx).change({ _id: id }, { $set: end })',
    put: 'this.rows.within(scope, tx).change({ _id: id }, { $set: { sequence: end.sequence } })',
  },
];
