export const faults = [
  { breaks: 'An email is sent twice', find: "{ _id: mailId, state: 'waiting' }", put: '{ _id: mailId }' },
];
