import type { ParleyClient } from '@parley/testing/client';

export const password = 'three quiet herons';
/** Two organisations: Harbour has all but the last two, who have Lighthouse. Ada is platform admin. */
export const names = ['Ada', 'Ben', 'Cleo', 'Dov', 'Gus', 'Eva', 'Finn'] as const;
export type Name = (typeof names)[number];
export type People = Readonly<Record<Name, ParleyClient>>;
export const emailOf = (name: string): string => `${name.toLowerCase()}@example.com`;
