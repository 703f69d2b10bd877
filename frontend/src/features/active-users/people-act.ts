import type { ActiveUser } from '@parley/contracts';

/** What is asked about before it is done, and about whom. */
export type PeopleAct = {
  readonly kind: 'role' | 'end' | 'suspend' | 'restore';
  readonly people: readonly ActiveUser[];
};

/** So many people one call may change: `mostAtOnce` of the contracts, which the browser does not load. */
export const mostAtOnce = 100;
