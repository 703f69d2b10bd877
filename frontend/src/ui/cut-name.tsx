import type { ReactNode } from 'react';

/**
 * For `rich`: a name inside of a sentence or a button, in its own direction and cut where it is long. In a button the
 * sentence has an element of its own, for its label would take the spaces out.
 */
export const cutName = (parts: ReactNode[]) => <bdi className="p-cut">{parts}</bdi>;
