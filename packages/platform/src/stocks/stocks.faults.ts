export const faults = [
  { breaks: 'A recount overwrites a change made meanwhile', find: '{ _id, changes: row.changes }', put: '{ _id }' },
];
