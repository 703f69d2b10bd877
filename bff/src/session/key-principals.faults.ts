export const faults = [
  {
    breaks: 'An API key keeps permissions that its owner lost',
    find: 'organisation.permissions',
    put: 'key.permissions',
  },
  {
    breaks: 'A revoked API key stays in the cache',
    find: 'parts.platform.revocations.onRevoked(() => this.holders.clear(), { whileAsked: true });',
    put: '',
  },
];
