export const faults = [
  {
    breaks: "An API key gets permissions that its owner doesn't have",
    file: './own-api-keys.service.ts',
    find: 'checkWithin(body.permissions, organisation.permissions);',
    put: '',
  },
  {
    breaks: 'Revoking an API key leaves its connections open',
    file: './api-keys.repository.ts',
    find: "await this.revocations.record(tx, { kind: 'session', subject: _id, rightsVersion: null });",
    put: '',
  },
  {
    breaks: 'People manage API keys of others',
    file: './own-api-keys.service.ts',
    find: 'key?.userId !== principal.userId',
    put: '!key',
  },
];
