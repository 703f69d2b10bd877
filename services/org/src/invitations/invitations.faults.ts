export const faults = [
  {
    breaks: 'An invitation gives more permissions than the inviter has',
    file: './inviting.service.ts',
    find: 'checkWithinOwn(principal, (await this.roles.read(scope, role)).permissions);',
    put: '',
  },
];
