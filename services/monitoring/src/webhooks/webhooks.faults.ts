export const faults = [
  {
    breaks: 'A webhook that is turned on again is told what happened while it was off',
    file: './webhooks.service.ts',
    find: "before.state === 'on' ? undefined : await this.stream.hold(scope, tx)",
    put: 'undefined',
  },
];
