export const faults = [
  {
    breaks: 'Other devices stay signed in after a new password',
    file: './password-setting.ts',
    find: "await this.sessions.endAll(tx, scope, { keep, reason: 'password-changed' })",
    put: '0',
  },
];
