export const faults = [
  {
    breaks: 'Signing out everywhere revokes no session',
    file: './sessions.service.ts',
    find: "await this.revocations.record(tx, { kind: 'session', subject: _id, rightsVersion: null, reason });",
    put: '',
  },
];
