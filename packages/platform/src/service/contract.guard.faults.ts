export const faults = [
  {
    breaks: 'What is sensitive opens without a fresh password',
    find: 'route.isSensitive && !confirmedUntil(principal.confirmedAt, new Date())',
    put: "route.path === ''",
  },
];
