export const faults = [
  { breaks: 'A late reply moves the revocation feed backwards', find: 'Math.max(known, cursor)', put: 'cursor' },
  {
    breaks: 'Polling pauses although there is a listener',
    find: 'isKnown && this.listeners.size === 0 && performance.now() - this.askedAt > restAfterMs',
    put: 'isKnown && performance.now() - this.askedAt > restAfterMs',
  },
];
