export const faults = [
  {
    breaks: 'An API key reaches the account of its owner',
    find: "route.scope === 'organisation' && keyPermissions.includes(route.permission)",
    put: "route.scope !== 'organisation' || keyPermissions.includes(route.permission)",
  },
  { breaks: 'An API key reaches what is for people only', find: "route.people !== 'only'", put: 'true' },
];
