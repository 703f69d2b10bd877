export const faults = [
  {
    breaks: 'A resent invitation keeps the secret of its earlier email',
    file: './invitations.consumer.ts',
    find: "{ _id, round, status: 'pending' }",
    put: "{ _id, status: 'pending' }",
  },
];
