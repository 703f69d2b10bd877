import type { Mutant } from './mutant.ts';
import { storeMutants } from './store.ts';
import { tenancyMutants } from './tenancy.ts';

export const allMutants: readonly Mutant[] = [...tenancyMutants, ...storeMutants];
