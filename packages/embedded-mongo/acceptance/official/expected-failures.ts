/** An official case that is known not to pass, and why. One that passes after all has to leave this list. */
export type ExpectedFailure = { name: RegExp; reason: string };

export const expectedFailures: ExpectedFailure[] = [
  {
    name: /^crud\/unified\/unacknowledged-.*-hint-clientError\.json: /,
    reason:
      'asks the driver to refuse a hint on an unacknowledged write; this driver sends it, and the store cannot answer a write that wants no answer (it writes nothing)',
  },
];
