export const faults = [
  { breaks: 'Two processes send the same email', find: 'new Date(now.getTime() + leaseMs)', put: 'now' },
];
