export const faults = [
  {
    breaks: 'The event stream accepts a cursor of another organisation',
    file: '../../../../packages/contracts/src/events/outside-event.ts',
    find: `named === org && /^\\d{1,15}$/.test(place)`,
    put: `/^\\d{1,15}$/.test(place)`,
  },
];
