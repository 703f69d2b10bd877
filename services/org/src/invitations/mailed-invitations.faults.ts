export const faults = [
  {
    breaks: 'A resent invitation keeps the secret of its earlier email',
    file: './invitation-mailer.ts',
    find: '{ _id: invitationId, round: row.round }',
    put: '{ _id: invitationId }',
  },
];
