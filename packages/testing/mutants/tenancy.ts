import type { Mutant } from './mutant.ts';

export const tenancyMutants: readonly Mutant[] = [
  {
    breaks: "what is somebody's own is given to every holder of the right",
    file: 'packages/contracts/src/permissions.ts',
    find: 'thing === undefined || thing.ownerId === holder.userId',
    put: 'true',
    spec: 'contracts/src/permissions.spec',
  },
];
